// The table of server commands.
namespace Garnet.Server.Commands.Server;

/// <summary>Registers the server family.</summary>
internal static class ServerCommands
{
    public static CommandDescriptor[] All =>
    [
        AclCommand.Descriptor,
        CommandCommand.Descriptor,
        CommandlogCommand.Descriptor,
        ConfigCommand.Descriptor,
        DebugCommand.Descriptor,
        InfoCommand.Descriptor,
        LatencyCommand.Descriptor,
        LolwutCommand.Descriptor,
        MemoryCommand.Descriptor,
        ModuleCommand.Descriptor,
        RoleCommand.Descriptor,
        ShutdownCommand.Descriptor,
        SlowlogCommand.Descriptor,
        TimeCommand.Descriptor,
    ];
}
