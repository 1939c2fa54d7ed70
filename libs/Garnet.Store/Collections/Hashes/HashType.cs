// The row of hashes in the table of types. Immutable; any thread.
using Garnet.Store.Collections.Trees;
using Garnet.Store.DataTypes;

namespace Garnet.Store.Collections.Hashes;

/// <summary>Hashes: a tree by the fields' hashes, and a second one by expiry where fields expire.</summary>
internal sealed class HashType() : CollectionType(RecordType.Hash, "hash", 4)
{
    public override bool HasElementExpiry => true;

    public override ReadOnlySpan<byte> EncodingOf(scoped ReadOnlySpan<byte> value) => IsLarge(value) ? "hashtable"u8 : "listpack"u8;

    internal override unsafe void CopyTree(TreeStore trees, TreeHeader* source, TreeHeader* target, bool isSecond)
    {
        if (isSecond)
            trees.Ids.Copy(source, target);
        else
            trees.Hashes.Copy(source, target);
    }
}
