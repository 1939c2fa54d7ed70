// The table of server commands.
namespace Garnet.Server.Commands.Server;

/// <summary>Registers the server family.</summary>
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
        RoleCommand.Descriptor,
        SaveCommand.Descriptor,
        ShutdownCommand.Descriptor,
        SlowlogCommand.Descriptor,
        TimeCommand.Descriptor,
    ];
}
