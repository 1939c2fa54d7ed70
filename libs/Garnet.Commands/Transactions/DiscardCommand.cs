// DISCARD
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Transactions;

/// <summary>Discards the queued commands and unwatches all keys.</summary>
internal static class DiscardCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DISCARD",
        Arity = 1,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.AllowBusy,
        Group = CommandGroup.Transactions,
        Traits = CommandTraits.OfConnection | CommandTraits.ControlsTransaction,
        Since = "2.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Client.Transactions.Open is null)
        {
            context.Reply.WriteError("ERR DISCARD without MULTI"u8);
            return;
        }

        context.Client.Transactions.Reset();
        context.Reply.WriteOk();
    }
}
