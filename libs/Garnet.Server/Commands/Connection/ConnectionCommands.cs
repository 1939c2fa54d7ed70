// The table of connection commands.
using Garnet.Engine.Execution;

namespace Garnet.Server.Commands.Connection;

/// <summary>Registers the connection commands.</summary>
internal static class ConnectionCommands
{
    public static CommandDescriptor[] All =>
        [
            AuthCommand.Descriptor,
            ClientCommand.Descriptor,
            EchoCommand.Descriptor,
            HelloCommand.Descriptor,
            PingCommand.Descriptor,
            QuitCommand.Descriptor,
            ResetCommand.Descriptor,
        ];
}
