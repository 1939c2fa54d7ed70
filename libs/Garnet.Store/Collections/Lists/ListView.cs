// Reads a list from the bytes of its value, under a latch or without one. Lives on the stack of the read.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Lists;

/// <summary>
/// A list as read from its record's bytes; without a latch its answers hold only once the read has been validated
/// (<see cref="IValueReader"/>).
/// </summary>
internal readonly unsafe ref struct ListView
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly TreeStore? _trees;
    private readonly TreeView _tree;

    /// <summary>Reads the value passed to an <see cref="IValueReader"/>.</summary>
    /// <param name="value">The value's bytes.</param>
    /// <param name="info">The record information passed with it.</param>
    public ListView(ReadOnlySpan<byte> value, in RecordInfo info)
        : this(value, info.Trees) { }

    // Without the trees no pointer in the bytes is followed, since the bytes may be torn.
    internal ListView(ReadOnlySpan<byte> value, TreeStore? trees)
    {
        if (PackedForm.Kind(value) != PackedForm.Tree)
        {
            _bytes = value;
        }
        else if (trees is not null)
        {
            _bytes = value;
            _trees = trees;
            _tree = new TreeView(PackedForm.TreeOf(value));
        }
    }

    internal ListView(TreeStore trees, TreeSnapshot* snapshot)
    {
        _trees = trees;
        _tree = new TreeView(snapshot);
    }

    /// <summary>Number of elements.</summary>
    public long Length => IsTree ? _tree.Count : PackedForm.Count(_bytes);

    internal bool IsTree => _trees is not null;

    internal TreeView Tree => _tree;

    internal TreeStore Trees => _trees!;

    internal ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>The element at an index counted from the head; false when there is none.</summary>
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

    /// <summary>The given number of elements starting at an index, towards the tail or the head.</summary>
    public ListEnumerator Range(long first, long count, bool isReverse = false) => new(this, first, count, isReverse);

    internal int OffsetOf(long index) => PackedEntries.Skip(_bytes, Math.Min(PackedForm.ListHeaderBytes, _bytes.Length), index);
}
