// CLIENT CAPA capability [capability ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Records the client's capabilities; unknown ones are ignored.</summary>
internal static class ClientCapaCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "CAPA",
        Arity = -3,
        Flags = CommandFlags.AllowBusy | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "8.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        for (int i = 2; i < context.Count; i++)
        {
            if (context.Is(i, "REDIRECT"u8))
                context.Client.Modes.CanRedirect = true;
        }

        context.Reply.WriteOk();
    }
}
