// The row of lists in the table of types. Immutable; any thread.
using Garnet.Store.Collections.Trees;
using Garnet.Store.DataTypes;

namespace Garnet.Store.Collections.Lists;

/// <summary>Lists: a tree by position, with Valkey's nodes beside it.</summary>
internal sealed class ListType() : CollectionType(RecordType.List, "list", 1)
{
    public override ReadOnlySpan<byte> EncodingOf(scoped ReadOnlySpan<byte> value) => IsLarge(value) ? "quicklist"u8 : "listpack"u8;

    internal override unsafe void CopyTree(TreeStore trees, TreeHeader* source, TreeHeader* target, bool isSecond) =>
        trees.Positions.Copy(source, target);
}
