// UNWATCH
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Transactions;

/// <summary>Unwatches all keys.</summary>
internal static class UnwatchCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "UNWATCH",
        Arity = 1,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.AllowBusy,
        Group = CommandGroup.Transactions,
        Traits = CommandTraits.OfConnection,
        Since = "2.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Client.Transactions.Watched?.Clear();
        context.Reply.WriteOk();
    }
}
