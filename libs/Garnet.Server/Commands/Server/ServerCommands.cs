// The table of server commands.
using Garnet.Engine.Execution;
using Garnet.Server.Commands.Acl;
using Garnet.Server.Commands.Config;
using Garnet.Server.Commands.Debugging;
using Garnet.Server.Commands.Introspection;
using Garnet.Server.Commands.Latency;
using Garnet.Server.Commands.Logs;
using Garnet.Server.Commands.Memory;
using Garnet.Server.Commands.Modules;

namespace Garnet.Server.Commands.Server;

/// <summary>Registers the server commands.</summary>
internal static class ServerCommands
{
    public static CommandDescriptor[] All =>
        [
            AclCommand.Descriptor,
            BgRewriteAofCommand.Descriptor,
            BgSaveCommand.Descriptor,
            CommandCommand.Descriptor,
            CommandlogCommand.Descriptor,
            ConfigCommand.Descriptor,
            DebugCommand.Descriptor,
            InfoCommand.Descriptor,
            LastSaveCommand.Descriptor,
            LatencyCommand.Descriptor,
            LolwutCommand.Descriptor,
            MemoryCommand.Descriptor,
            ModuleCommand.Descriptor,
            MonitorCommand.Descriptor,
            SaveCommand.Descriptor,
            ShutdownCommand.Descriptor,
            SlowlogCommand.Descriptor,
            TimeCommand.Descriptor,
        ];
}
