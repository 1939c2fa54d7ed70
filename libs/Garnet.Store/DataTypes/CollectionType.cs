// The types whose values are packed entries or trees. Immutable; any thread.
using Garnet.Store.Collections;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.DataTypes;

/// <summary>A type whose value has the header of <see cref="PackedForm"/>.</summary>
internal abstract class CollectionType(RecordType recordType, string name, int number) : DataType(recordType, name, number)
{
    public override unsafe long CountOf(scoped ReadOnlySpan<byte> value) =>
        PackedForm.IsTree(value) ? PackedForm.TreeOf(value)->Count : PackedForm.Count(value);

    internal abstract override unsafe void CopyTree(TreeStore trees, TreeHeader* source, TreeHeader* target, bool isSecond);

    protected static bool IsLarge(scoped ReadOnlySpan<byte> value) => (PackedForm.FormOf(value) & PackedForm.IsLarge) != 0;
}
