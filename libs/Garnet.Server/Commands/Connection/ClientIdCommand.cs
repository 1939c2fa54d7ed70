// CLIENT ID
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Replies with the connection's ID.</summary>
internal static class ClientIdCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ID",
        Arity = 2,
        Flags = CommandFlags.AllowBusy | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "5.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => context.Reply.WriteInteger(context.Client.Id);
}
