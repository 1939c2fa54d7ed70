// EXISTS key [key ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Counts how many of the keys exist; a key named twice counts twice.</summary>
internal static class ExistsCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "EXISTS",
        Arity = -2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Traits = CommandTraits.IgnoresValue,
        Categories = AclCategories.Keyspace,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, -1, 1, KeySpecFlags.RO)],
        Tips = ["request_policy:multi_shard", "response_policy:agg_sum"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        // Several keys are looked up atomically, so that a RENAME is never observed halfway.
        int keys = context.Count - 1;
        ReadOnlySpan<KeyReference> hashed = keys > 1 ? context.LatchKeys(1, 1, keys) : default;
        int found = 0;
        for (int i = 1; i <= keys; i++)
        {
            context.PrefetchAfter(hashed, i - 1);
            bool exists = context.Store.Reads.Exists(context[i], keys > 1 ? hashed[i - 1].Hash : context.Hash(i));
            context.CountLookup(exists, i);
            if (exists)
                found++;
        }

        context.Reply.WriteInteger(found);
    }
}
