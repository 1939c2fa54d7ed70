// The trees that a large collection's value points to: their ownership, copying and disposal. Used under the latch of the key.
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Trees;
using Garnet.Store.DataTypes;
using Garnet.Store.Records;

namespace Garnet.Store.Collections;

/// <summary>The tree addresses in a value. A record owns the trees of its value; they are dropped with it.</summary>
internal readonly unsafe struct CollectionTrees : IEquatable<CollectionTrees>
{
    private readonly TreeHeader* _tree;
    private readonly TreeHeader* _second;

    private CollectionTrees(TreeHeader* tree, TreeHeader* second)
    {
        _tree = tree;
        _second = second;
    }

    /// <summary>True if the value has no trees.</summary>
    public bool IsNone => _tree == null;

    public static bool operator ==(CollectionTrees left, CollectionTrees right) => left.Equals(right);

    public static bool operator !=(CollectionTrees left, CollectionTrees right) => !left.Equals(right);

    /// <summary>Whether a record's value points to trees.</summary>
    public static bool IsTree(byte* record, ulong header) =>
        (header & RecordHeader.BlockValue) == 0
        && RecordHeader.Type(header) != RecordType.String
        && PackedForm.IsTree(RecordHeader.InlineValue(record, header));

    /// <summary>The trees of a value that points to some.</summary>
    public static CollectionTrees Of(ReadOnlySpan<byte> value) => new(PackedForm.TreeOf(value), PackedForm.SecondTreeOf(value));

    /// <summary>Memory of the trees of a value that points to some, in bytes.</summary>
    public static long Bytes(ReadOnlySpan<byte> value)
    {
        TreeHeader* second = PackedForm.SecondTreeOf(value);
        return PackedForm.TreeOf(value)->Bytes + (second == null ? 0 : second->Bytes);
    }

    /// <summary>Drops the trees of a value, if any, in constant time.</summary>
    public static void Drop(TreeStore trees, ReadOnlySpan<byte> value)
    {
        if (PackedForm.IsTree(value))
            Of(value).Drop(trees);
    }

    /// <summary>Drops trees in constant time; either may be null.</summary>
    public static void Drop(TreeStore trees, TreeHeader* tree, TreeHeader* second) => new CollectionTrees(tree, second).Drop(trees);

    /// <summary>Copies a value that points to trees, together with the trees.</summary>
    public static ReadOnlySpan<byte> Copy(TreeStore trees, RecordType type, ReadOnlySpan<byte> value, Span<byte> target)
    {
        TreeHeader* tree = PackedForm.TreeOf(value);
        TreeHeader* second = PackedForm.SecondTreeOf(value);
        DataType row = DataTypeTable.Of(type);
        TreeHeader* copy = Copy(trees, row, tree, isSecond: false);
        TreeHeader* secondCopy = second == null ? null : Copy(trees, row, second, isSecond: true);
        PackedForm.WriteTrees(target, PackedForm.FormOf(value), copy, secondCopy);
        return target[..PackedForm.TreeBytes];
    }

    public void Drop(TreeStore trees)
    {
        if (_tree != null)
            trees.Drop(_tree);

        if (_second != null)
            trees.Drop(_second, isSecond: _tree != null);
    }

    public bool Equals(CollectionTrees other) => _tree == other._tree && _second == other._second;

    public override bool Equals(object? obj) => obj is CollectionTrees other && Equals(other);

    public override int GetHashCode() => HashCode.Combine((nint)_tree, (nint)_second);

    private static TreeHeader* Copy(TreeStore trees, DataType row, TreeHeader* tree, bool isSecond)
    {
        TreeHeader* copy = trees.Create();
        copy->User0 = tree->User0;
        copy->User2 = tree->User2;
        if (tree->HasListNodes)
            trees.ListNodes.Copy(ListNodeHeap.RingOf(tree), copy);
        else
            copy->User1 = tree->User1;

        row.CopyTree(trees, tree, copy, isSecond);
        return copy;
    }
}
