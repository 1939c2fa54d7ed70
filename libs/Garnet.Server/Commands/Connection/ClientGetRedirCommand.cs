// CLIENT GETREDIR
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Connection;

/// <summary>Replies with the client that invalidations are redirected to: none, as there is no tracking.</summary>
internal static class ClientGetRedirCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETREDIR",
        Arity = 2,
        Flags = CommandFlags.AllowBusy | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "6.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => context.Reply.WriteInteger(-1);
}
