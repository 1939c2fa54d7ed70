// Reads a set from the bytes of its value, under a latch or without one. Lives on the stack of the read.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Sets;

/// <summary>
/// A set as read from its record's bytes; without a latch its answers hold only once the read has been validated
/// (<see cref="IValueReader"/>).
/// </summary>
internal readonly unsafe ref struct SetView
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly TreeStore? _trees;
    private readonly TreeView _tree;

    /// <summary>Reads the value passed to an <see cref="IValueReader"/>.</summary>
    /// <param name="value">The value's bytes.</param>
    /// <param name="info">The record information passed with it.</param>
    public SetView(ReadOnlySpan<byte> value, in RecordInfo info)
        : this(value, info.Trees) { }

    // Without the trees no pointer in the bytes is followed, since the bytes may be torn.
    internal SetView(ReadOnlySpan<byte> value, TreeStore? trees)
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

    internal SetView(TreeStore trees, TreeSnapshot* snapshot)
    {
        _trees = trees;
        _tree = new TreeView(snapshot);
    }

    /// <summary>Number of members.</summary>
    public long Length => IsTree ? _tree.Count : PackedForm.Count(_bytes);

    internal bool IsTree => _trees is not null;

    internal TreeView Tree => _tree;

    internal TreeStore Trees => _trees!;

    internal ReadOnlySpan<byte> Bytes => _bytes;

    internal bool IsIntegers => PackedForm.Kind(_bytes) == PackedForm.Integers;

    /// <summary>Whether a member exists.</summary>
    public bool Contains(ReadOnlySpan<byte> member)
    {
        if (IsIntegers)
            return ElementCode.TryParseInteger(member, out long integer) && IntegerArray.Find(_bytes, integer) >= 0;

        return Contains(ElementCode.Of(member));
    }

    /// <summary>Whether a member of another set, or of this one, exists here.</summary>
    public bool Contains(scoped in PackedElement member) =>
        IsIntegers ? member.IsInteger && IntegerArray.Find(_bytes, member.Integer) >= 0 : Contains(ElementCode.Of(member));

    /// <summary>
    /// Whether a member of another set exists here. The finger belongs to this set; members that come in the order of a tree are found
    /// fastest.
    /// </summary>
    public bool Contains(scoped in SetMember member, scoped ref LeafFinger finger)
    {
        if (!IsTree || !member.HasKey)
            return Contains(member.Element);

        _trees!.Hashes.FindNear(_tree, member.Key, ref finger, out _, out bool isFound);
        return isFound;
    }

    private bool Contains(scoped in ElementCode code) =>
        IsTree ? _trees!.Hashes.TryGet(_tree, _trees.Hashes.Order.KeyOf(ElementScratch.Current.Encode(code)), out _) : Find(code) >= 0;

    /// <summary>All members: ascending while the set reports intset, otherwise in insertion order while it is small.</summary>
    public SetEnumerator GetEnumerator() => new(this);

    internal int Find(in ElementCode member) => PackedEntries.Find(_bytes, Math.Min(PackedForm.HeaderBytes, _bytes.Length), 1, member);

    /// <summary>Offset of the entry at an index; not for integers.</summary>
    internal int OffsetOf(long index) => PackedEntries.Skip(_bytes, Math.Min(PackedForm.HeaderBytes, _bytes.Length), index);

    internal PackedElement At(long index) =>
        IsTree ? PackedEntries.Read(TreeEntry.At(_tree, index), 0)
        : IsIntegers ? new PackedElement(IntegerArray.At(_bytes, (int)index))
        : PackedEntries.Read(_bytes, OffsetOf(index));
}
