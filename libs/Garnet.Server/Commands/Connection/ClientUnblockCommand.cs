// CLIENT UNBLOCK client-id [TIMEOUT|ERROR]
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Unblocks a blocked client, as if its timeout had expired or with an error.</summary>
internal sealed class ClientUnblockCommand(ClientRegistry clients)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "UNBLOCK",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "5.0.0",
        MakeHandler = static parts => new ClientUnblockCommand(parts.Get<ClientRegistry>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        bool withError = context.Count == 4 && context.Is(3, "ERROR"u8);
        if (context.Count == 4 && !withError && !context.Is(3, "TIMEOUT"u8))
        {
            context.Reply.WriteError("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR"u8);
            return;
        }

        if (!context.TryGetInteger(2, out long id))
            return;
        bool unblocked = clients.Find(id)?.Wait.Reply?.TryUnblock(withError ? UnblockReason.Error : UnblockReason.Timeout) ?? false;
        // The error is the reply to the other client, but Valkey's statistics attribute it to this call.
        if (unblocked && withError)
            context.Scratch.Counters.Failed[context.Command.Id]++;
        context.Reply.WriteInteger(unblocked ? 1 : 0);
    }
}
