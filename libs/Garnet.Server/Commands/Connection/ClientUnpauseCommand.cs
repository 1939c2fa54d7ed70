// CLIENT UNPAUSE
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Connection;

/// <summary>Resumes paused clients.</summary>
internal static class ClientUnpauseCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "UNPAUSE",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "6.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Server.Clients.Pause.Lift();
        context.Reply.WriteOk();
    }
}
