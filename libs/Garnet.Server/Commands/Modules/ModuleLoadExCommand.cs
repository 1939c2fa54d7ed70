// MODULE LOADEX path [CONFIG name value [CONFIG name value ...]] [ARGS arg [arg ...]]
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.ModuleHost;
using Garnet.Server.Modules;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Modules;

/// <summary>Loads a module from a file, with values of its options and arguments.</summary>
internal sealed class ModuleLoadExCommand(ServerModules modules, LiveModules live, ILogger log)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LOADEX",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.WholeKeyspace,
        ProtectedBy = ProtectingOption.Module,
        Group = CommandGroup.Server,
        Since = "7.0.0",
        MakeHandler = static parts =>
            new ModuleLoadExCommand(parts.Get<ServerModules>(), parts.Get<LiveModules>(), parts.Get<ILogger>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        Dictionary<string, string> settings = new(StringComparer.OrdinalIgnoreCase);
        int next = 3;
        for (; next < context.Count && context.Is(next, "CONFIG"u8); next += 3)
        {
            if (next + 2 >= context.Count)
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return;
            }

            settings[Encoding.UTF8.GetString(context[next + 1])] = Encoding.UTF8.GetString(context[next + 2]);
        }

        bool hasArguments = next < context.Count && context.Is(next, "ARGS"u8);
        if (next < context.Count && !hasArguments)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        ModuleChange.Load(ref context, modules, live, log, ModuleChange.Texts(ref context, next + 1, context.Count), settings);
    }
}
