// TOUCH key [key ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Counts how many of the keys exist, and counts as an access to each.</summary>
internal static class TouchCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "TOUCH",
        Arity = -2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Traits = CommandTraits.IgnoresValue,
        Categories = AclCategories.Keyspace,
        Since = "3.2.1",
        Keys = [KeySpec.Range(1, -1, 1, KeySpecFlags.RO)],
        Tips = ["request_policy:multi_shard", "response_policy:agg_sum"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        int keys = context.Count - 1;
        ReadOnlySpan<KeyReference> hashed = keys > 1 ? context.LatchKeys(1, 1, keys) : default;
        int found = 0;
        for (int i = 1; i <= keys; i++)
        {
            RecordHandle record = keys > 1 ? context.Open(i, hashed, i - 1) : context.Open(i);
            context.CountLookup(record.Exists, i);
            if (!record.Exists)
                continue;
            // Also with CLIENT NO-TOUCH, for which opening the key was not an access.
            if (!context.Store.Accesses.Touches)
                record.Usage.Touch();
            found++;
        }

        context.Reply.WriteInteger(found);
    }
}
