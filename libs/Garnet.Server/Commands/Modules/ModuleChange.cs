// What the commands that load and unload modules have in common. Stateless.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Server.ModuleHost;
using Garnet.Server.Modules;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Modules;

/// <summary>
/// Changes the server's modules while no other client executes a command; they do not wait for a module's file to be read.
/// </summary>
internal static class ModuleChange
{
    /// <summary>Loads the module at the path in argument 2.</summary>
    public static void Load(
        ref CommandContext context,
        ServerModules modules,
        LiveModules live,
        ILogger log,
        string[] arguments,
        IReadOnlyDictionary<string, string> settings
    )
    {
        const string Prefix = "ERR Error loading the extension: ";
        LoadedModule module;
        try
        {
            module = modules.Read(Encoding.UTF8.GetString(context[2]), arguments);
        }
        catch (ModuleLoadException e)
        {
            Refuse(ref context, log, Prefix, e);
            return;
        }

        if (!context.Client.Executor.TryBeginAlone(ref context))
        {
            ServerModules.Drop(module);
            return;
        }

        try
        {
            live.Add(context.Store, module, settings);
            Confirm(ref context);
        }
        catch (ModuleLoadException e)
        {
            Refuse(ref context, log, Prefix, e);
        }
    }

    /// <summary>Unloads a module.</summary>
    public static void Unload(ref CommandContext context, LiveModules live, ILogger log, string name)
    {
        if (!context.Client.Executor.TryBeginAlone(ref context))
            return;
        try
        {
            live.Unload(context.Store, name);
            Confirm(ref context);
        }
        catch (ModuleLoadException e)
        {
            Refuse(ref context, log, "ERR Error unloading module: ", e);
        }
    }

    private static void Confirm(ref CommandContext context)
    {
        // Values that were kept for the module have become its own, which is no change of the data.
        context.SuppressEffect();
        context.Reply.WriteOk();
    }

    private static void Refuse(ref CommandContext context, ILogger log, string prefix, ModuleLoadException e)
    {
        log.LogWarning(e.InnerException, "{Command}: {Problem}", context.Command.FullName, e.Message);
        context.Reply.WriteError(prefix + e.Message);
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
