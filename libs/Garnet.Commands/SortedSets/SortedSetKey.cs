// Opens the keys of sorted set commands. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Latches a key whose value must be a sorted set or absent.</summary>
internal static class SortedSetKey
{
    /// <summary>
    /// Opens the key in an argument; writes the error and returns false if it holds another type. An absent sorted set is empty.
    /// </summary>
    public static bool TryOpen(scoped ref CommandContext context, int keyArgument, out SortedSetValue members)
    {
        bool isOpen = context.TryOpen(keyArgument, RecordType.SortedSet, countsLookup: false, out RecordHandle record);
        members = isOpen ? new SortedSetValue(record) : default;
        return isOpen;
    }

    /// <summary>As <see cref="TryOpen"/> for the first key, and counts the lookup.</summary>
    public static bool TryOpenForReading(scoped ref CommandContext context, out SortedSetValue members)
    {
        bool isOpen = context.TryOpen(1, RecordType.SortedSet, countsLookup: true, out RecordHandle record);
        members = isOpen ? new SortedSetValue(record) : default;
        return isOpen;
    }
}
