// The table of server commands.
namespace Garnet.Server.Commands.Server;

/// <summary>Registers the server family.</summary>
internal static class ServerCommands
{
    public static CommandDescriptor[] All =>
    [
        CommandCommand.Descriptor,
        ConfigCommand.Descriptor,
        InfoCommand.Descriptor,
        RoleCommand.Descriptor,
        TimeCommand.Descriptor,
    ];
}
