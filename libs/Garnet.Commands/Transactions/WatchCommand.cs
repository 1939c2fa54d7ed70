// WATCH key [key ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Commands.Transactions;

/// <summary>Makes the next EXEC fail if one of the keys changes before it.</summary>
internal static class WatchCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "WATCH",
        Arity = -2,
        Flags =
            CommandFlags.NoScript
            | CommandFlags.Loading
            | CommandFlags.Stale
            | CommandFlags.Fast
            | CommandFlags.NoMulti
            | CommandFlags.AllowBusy,
        Group = CommandGroup.Transactions,
        Traits = CommandTraits.OfConnection | CommandTraits.ControlsTransaction | CommandTraits.IgnoresValue,
        Since = "2.2.0",
        Keys = [KeySpec.Range(1, -1, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Client.Transactions.Watched is not { IsTouched: true })
        {
            WatchedKeys watched = context.Client.Transactions.Watched ??= new WatchedKeys(context.Store);
            for (int i = 1; i < context.Count; i++)
                watched.Add(context[i]);
        }

        context.Reply.WriteOk();
    }
}
