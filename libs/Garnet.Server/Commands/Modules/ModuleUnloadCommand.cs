// MODULE UNLOAD name
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.ModuleHost;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Modules;

/// <summary>Unloads a module that was loaded from a file.</summary>
internal sealed class ModuleUnloadCommand(LiveModules live, ILogger log)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "UNLOAD",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.WholeKeyspace,
        ProtectedBy = ProtectingOption.Module,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        MakeHandler = static parts => new ModuleUnloadCommand(parts.Get<LiveModules>(), parts.Get<ILogger>()).Execute,
    };

    private void Execute(ref CommandContext context) => ModuleChange.Unload(ref context, live, log, Encoding.UTF8.GetString(context[2]));
}
