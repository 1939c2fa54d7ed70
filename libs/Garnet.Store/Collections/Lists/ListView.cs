// Reads a list from the bytes of its value, under a latch or without one. Lives on the stack of the read.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Lists;

/// <summary>
/// A list as its record's bytes say it; without a latch what it says holds only once the read has been found valid
/// (<see cref="IValueReader"/>).
/// </summary>
public readonly unsafe ref struct ListView
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly TreeStore? _trees;
    private readonly TreeView _tree;

    /// <summary>Reads what an <see cref="IValueReader"/> is given.</summary>
    /// <param name="value">The value's bytes.</param>
    /// <param name="info">What came with them.</param>
    public ListView(ReadOnlySpan<byte> value, in RecordInfo info)
        : this(value, info.Trees) { }

    // Without the trees nothing that the bytes point to is followed: they may be torn.
    internal ListView(ReadOnlySpan<byte> value, TreeStore? trees)
    {
        if (PackedForm.Kind(value) != PackedForm.Tree)
        {
            _bytes = value;
        }
        else if (trees != null)
        {
            _bytes = value;
            _trees = trees;
            _tree = new TreeView(PackedForm.TreeOf(value));
        }
    }

    internal ListView(TreeStore trees, TreeSnapshot* picture)
    {
        _trees = trees;
        _tree = new TreeView(picture);
    }

    /// <summary>Elements.</summary>
    public long Length => IsTree ? _tree.Count : PackedForm.Count(_bytes);

    internal bool IsTree => _trees != null;

    internal TreeView Tree => _tree;

    internal TreeStore Trees => _trees!;

    internal ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>The element with an index from the head on; false when there is none.</summary>
    public bool TryGetAt(long index, out PackedElement element)
    {
        if (index < 0 || index >= Length)
        {
            element = default;
            return false;
        }

        element = IsTree ? PackedEntries.Read(TreeEntry.At(_tree, index), 0) : PackedEntries.Read(_bytes, OffsetOf(index));
        return true;
    }

    /// <summary>So many elements from an index on, towards the tail or towards the head.</summary>
    public ListEnumerator Range(long first, long count, bool isReverse = false) => new(this, first, count, isReverse);

    internal int OffsetOf(long index) => PackedEntries.Skip(_bytes, Math.Min(PackedForm.ListHeaderBytes, _bytes.Length), index);
}
