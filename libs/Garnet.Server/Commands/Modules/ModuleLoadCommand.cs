// MODULE LOAD path [arg [arg ...]]
using System.Collections.Immutable;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.ModuleHost;
using Garnet.Server.Modules;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Modules;

/// <summary>Loads a module from a file, with arguments.</summary>
internal sealed class ModuleLoadCommand(ServerModules modules, LiveModules live, ILogger log)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LOAD",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.WholeKeyspace,
        ProtectedBy = ProtectingOption.Module,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        MakeHandler = static parts =>
            new ModuleLoadCommand(parts.Get<ServerModules>(), parts.Get<LiveModules>(), parts.Get<ILogger>()).Execute,
    };

    private void Execute(ref CommandContext context) =>
        ModuleChange.Load(
            ref context,
            modules,
            live,
            log,
            ModuleChange.Texts(ref context, 3, context.Count),
            ImmutableDictionary<string, string>.Empty
        );
}
