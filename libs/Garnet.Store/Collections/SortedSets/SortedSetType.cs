// The row of sorted sets in the table of types. Immutable; any thread.
using Garnet.Store.Collections.Trees;
using Garnet.Store.DataTypes;

namespace Garnet.Store.Collections.SortedSets;

/// <summary>Sorted sets: a tree by score, and a second one by the members' fingerprints.</summary>
internal sealed class SortedSetType() : CollectionType(RecordType.SortedSet, "zset", 3)
{
    public override ReadOnlySpan<byte> EncodingOf(scoped ReadOnlySpan<byte> value) => IsLarge(value) ? "skiplist"u8 : "listpack"u8;

    internal override unsafe void CopyTree(TreeStore trees, TreeHeader* source, TreeHeader* target, bool isSecond)
    {
        if (isSecond)
            trees.Fingerprints.Copy(source, target);
        else
            trees.Scores.Copy(source, target);
    }
}
