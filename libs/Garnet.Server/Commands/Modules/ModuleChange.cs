// What the commands that load and unload modules have in common. Stateless.
using System.Text;
using Garnet.Server.CommandModel;
using Garnet.Server.Modules;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Modules;

/// <summary>
/// Changes the server's modules while no other client executes a command; they do not wait for a module's file to be read.
/// </summary>
internal static class ModuleChange
{
    /// <summary>Loads the module at the path in argument 2.</summary>
    public static void Load(ref CommandContext context, string[] arguments, IReadOnlyDictionary<string, string> settings)
    {
        string path = Encoding.UTF8.GetString(context[2]);
        ServerModules modules = context.Server.Modules;
        StoreSession store = context.Store;
        Run(
            ref context,
            "ERR Error loading the extension: ",
            () =>
            {
                LoadedModule module = modules.Read(path, arguments);
                store.RunExclusive(() => modules.Add(store, module, settings));
            }
        );
    }

    /// <summary>Unloads a module.</summary>
    public static void Unload(ref CommandContext context, string name)
    {
        ServerModules modules = context.Server.Modules;
        StoreSession store = context.Store;
        Run(ref context, "ERR Error unloading module: ", () => store.RunExclusive(() => modules.Unload(store, name)));
    }

    // Replies OK or with the error.
    private static void Run(ref CommandContext context, string errorPrefix, Action change)
    {
        try
        {
            change();
        }
        catch (ModuleLoadException e)
        {
            context.Server.Log.LogWarning(e.InnerException, "{Command}: {Problem}", context.Command.FullName, e.Message);
            context.Reply.WriteError(errorPrefix + e.Message);
            return;
        }

        // Values that were kept for the module have become its own, which is no change of the data.
        context.SuppressEffect();
        context.Reply.WriteOk();
    }

    /// <summary>Arguments as text.</summary>
    public static string[] Texts(ref CommandContext context, int first, int end)
    {
        string[] texts = new string[Math.Max(0, end - first)];
        for (int i = 0; i < texts.Length; i++)
            texts[i] = Encoding.UTF8.GetString(context[first + i]);
        return texts;
    }
}
