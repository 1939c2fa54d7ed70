// Opens the key of a hash command. Stateless; the key stays latched until the command ends.
using Garnet.Engine.Execution;
using Garnet.Store;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Opens the hash at argument 1.</summary>
internal static class HashKey
{
    /// <summary>Opens the key; writes the error and returns false if it holds another type. An absent hash is empty.</summary>
    public static bool TryOpen(scoped ref CommandContext context, out HashValue hash)
    {
        bool isOpen = context.TryOpen(1, RecordType.Hash, countsLookup: false, out RecordHandle record);
        hash = isOpen ? new HashValue(record) : default;
        return isOpen;
    }

    /// <summary>As <see cref="TryOpen"/>, and counts the lookup.</summary>
    public static bool TryOpenForReading(scoped ref CommandContext context, out HashValue hash)
    {
        bool isOpen = context.TryOpen(1, RecordType.Hash, countsLookup: true, out RecordHandle record);
        hash = isOpen ? new HashValue(record) : default;
        return isOpen;
    }

    /// <summary>Number of fields that have not expired.</summary>
    public static long VisibleFields(in CommandContext context, in HashValue hash)
    {
        // A field still exists in the millisecond of its expiry.
        if (hash.EarliestExpiryMs >= context.ExpiryNowMs)
            return hash.Length;
        long fields = 0;
        foreach (HashField _ in hash)
            fields++;
        return fields;
    }
}
