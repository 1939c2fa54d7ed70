// The table of connection commands.
namespace Garnet.Server.Commands.Connection;

/// <summary>Registers the connection family.</summary>
internal static class ConnectionCommands
{
    public static CommandDescriptor[] All =>
    [
        PingCommand.Descriptor,
    ];
}
