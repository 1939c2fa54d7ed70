// The row of sets in the table of types. Immutable; any thread.
using Garnet.Store.Collections.Trees;
using Garnet.Store.DataTypes;

namespace Garnet.Store.Collections.Sets;

/// <summary>Sets: a tree by the members' hashes.</summary>
internal sealed class SetType() : CollectionType(RecordType.Set, "set", 2)
{
    public override ReadOnlySpan<byte> EncodingOf(scoped ReadOnlySpan<byte> value) =>
        PackedForm.Kind(value) == PackedForm.Integers ? "intset"u8
        : IsLarge(value) ? "hashtable"u8
        : "listpack"u8;

    internal override unsafe void CopyTree(TreeStore trees, TreeHeader* source, TreeHeader* target, bool isSecond) =>
        trees.Hashes.Copy(source, target);
}
