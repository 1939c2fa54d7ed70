// CLIENT UNBLOCK client-id [TIMEOUT|ERROR]
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Connection;

/// <summary>Ends the wait of a blocked client, as if its time were over or with an error.</summary>
internal static class ClientUnblockCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "UNBLOCK",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Categories = AclCategories.Admin | AclCategories.Connection | AclCategories.Dangerous | AclCategories.Slow,
        Since = "5.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        bool withError = context.Count == 4 && context.Is(3, "ERROR"u8);
        if (context.Count == 4 && !withError && !context.Is(3, "TIMEOUT"u8))
        {
            context.Reply.WriteError("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR"u8);
            return;
        }

        if (!context.TryGetInteger(2, out long id))
            return;
        bool unblocked = context.Server.Clients.Find(id)?.PendingReply?.TryUnblock(withError) ?? false;
        // The error is the other client's, but Valkey's statistics lay it to the call that it came from.
        if (unblocked && withError)
            context.Batch.Failed[context.Command.Id]++;
        context.Reply.WriteInteger(unblocked ? 1 : 0);
    }
}
