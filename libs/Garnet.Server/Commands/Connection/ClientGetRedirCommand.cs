// CLIENT GETREDIR
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Tracking;

namespace Garnet.Server.Commands.Connection;

/// <summary>Replies with the client that invalidations are redirected to: 0 for none, -1 while tracking is off.</summary>
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

    private static void Execute(ref CommandContext context) => context.Reply.WriteInteger(context.Client.Tracking?.Redirect ?? -1);
}
