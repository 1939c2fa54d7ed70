// CLIENT UNPAUSE
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Resumes paused clients.</summary>
internal sealed class ClientUnpauseCommand(ClientRegistry clients)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "UNPAUSE",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "6.2.0",
        MakeHandler = static parts => new ClientUnpauseCommand(parts.Get<ClientRegistry>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        clients.Pause.Lift();
        context.Reply.WriteOk();
    }
}
