// QUIT
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Closes the connection after the reply.</summary>
internal static class QuitCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "QUIT",
        Arity = -1,
        Flags =
            CommandFlags.AllowBusy
            | CommandFlags.NoScript
            | CommandFlags.Loading
            | CommandFlags.Stale
            | CommandFlags.Fast
            | CommandFlags.NoAuth,
        Group = CommandGroup.Connection,
        Traits = CommandTraits.OfConnection | CommandTraits.ControlsTransaction | CommandTraits.ForSubscribers,
        Since = "1.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Reply.WriteOk();
        context.Client.End.AfterReply = true;
    }
}
