// Reads a hash from the bytes of its value, under a latch or without one. Lives on the stack of the read.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Hashes;

/// <summary>
/// A hash as read from its record's bytes; without a latch its answers hold only once the read has been validated
/// (<see cref="IValueReader"/>). Expired fields are invisible.
/// </summary>
internal readonly unsafe ref struct HashView
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly TreeStore? _trees;
    private readonly TreeView _tree;
    private readonly long _nowMs;

    /// <summary>Reads the value passed to an <see cref="IValueReader"/>.</summary>
    /// <param name="value">The value's bytes.</param>
    /// <param name="info">The record information passed with it.</param>
    /// <param name="nowMs">The time used to decide which fields have expired, in Unix milliseconds; <see cref="long.MinValue"/> shows
    /// all.</param>
    public HashView(ReadOnlySpan<byte> value, in RecordInfo info, long nowMs)
        : this(value, info.Trees, nowMs) { }

    // Without the trees no pointer in the bytes is followed, since the bytes may be torn.
    internal HashView(ReadOnlySpan<byte> value, TreeStore? trees, long nowMs)
    {
        _nowMs = nowMs;
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

    internal HashView(TreeStore trees, TreeSnapshot* snapshot, long nowMs = long.MinValue)
    {
        _nowMs = nowMs;
        _trees = trees;
        _tree = new TreeView(snapshot);
    }

    /// <summary>Number of fields, including expired ones that have not been removed yet, as in Valkey.</summary>
    public long Length => IsTree ? _tree.Count : PackedForm.Count(_bytes);

    /// <summary>Number of fields that have an expiry.</summary>
    public long ExpiringFields =>
        IsTree ? PackedForm.TreeOf(_bytes)->User0
        : HasExpiries ? PackedForm.ExpiringFields(_bytes)
        : 0;

    /// <summary>A lower bound for the earliest expiry of a field; <see cref="long.MaxValue"/> if none has one.</summary>
    public long EarliestExpiryMs =>
        IsTree ? HashTree.EarliestExpiry(_bytes)
        : HasExpiries ? PackedForm.EarliestExpiry(_bytes)
        : long.MaxValue;

    internal bool IsTree => _trees is not null;

    internal TreeView Tree => _tree;

    internal TreeStore Trees => _trees!;

    internal bool HasExpiries => (PackedForm.FormOf(_bytes) & PackedForm.HasExpiries) != 0 && _bytes.Length >= PackedForm.ExpiryHeaderBytes;

    /// <summary>The bytes of a packed hash.</summary>
    internal ReadOnlySpan<byte> Bytes => _bytes;

    internal int Stride => HasExpiries ? 3 : 2;

    /// <summary>Offset of the first entry of a packed hash.</summary>
    internal int Start => HasExpiries ? PackedForm.ExpiryHeaderBytes : Math.Min(PackedForm.HeaderBytes, _bytes.Length);

    internal int End => _bytes.Length;

    /// <summary>Whether a field exists.</summary>
    public bool Contains(ReadOnlySpan<byte> field) => TryGet(field, out _);

    /// <summary>The value of a field.</summary>
    public bool TryGet(ReadOnlySpan<byte> field, out PackedElement value) => TryGet(field, out value, out _);

    /// <summary>The value of a field, and its expiry (-1 for none).</summary>
    public bool TryGet(ReadOnlySpan<byte> field, out PackedElement value, out long expiresAtMs)
    {
        var name = ElementCode.Of(field);
        if (IsTree)
            return TryGetInTree(name, out value, out expiresAtMs);

        int offset = Find(name);
        if (offset < 0)
        {
            value = default;
            expiresAtMs = -1;
            return false;
        }

        int valueOffset = PackedEntries.Next(_bytes, offset);
        value = PackedEntries.Read(_bytes, valueOffset);
        expiresAtMs = ExpiryAt(valueOffset);
        return !IsExpired(expiresAtMs);
    }

    /// <summary>All visible fields, in insertion order while the hash is small.</summary>
    public HashEnumerator GetEnumerator() => new(this);

    /// <summary>Offset of a field's entry in a packed hash, -1 if it does not exist; expired fields are found.</summary>
    internal int Find(in ElementCode field) => PackedEntries.Find(_bytes, Start, Stride, field);

    /// <summary>The field with an index.</summary>
    internal HashField AtIndex(long index) =>
        IsTree ? HashEntry.Read(TreeEntry.At(_tree, index)) : At(PackedEntries.Skip(_bytes, Start, index * Stride), out _);

    /// <summary>The field of a packed hash whose entry starts at an offset.</summary>
    internal HashField At(int offset, out int next)
    {
        int valueOffset = PackedEntries.Next(_bytes, offset);
        long expiresAtMs = ExpiryAt(valueOffset);
        next = PackedEntries.Skip(_bytes, valueOffset, Stride - 1);
        return new HashField(PackedEntries.Read(_bytes, offset), PackedEntries.Read(_bytes, valueOffset), expiresAtMs);
    }

    internal long ExpiryAt(int valueOffset) =>
        HasExpiries ? PackedEntries.ReadInteger(_bytes, PackedEntries.Skip(_bytes, valueOffset, 1)) : -1;

    internal bool IsExpired(long expiresAtMs) => expiresAtMs >= 0 && _nowMs > expiresAtMs;

    private bool TryGetInTree(scoped in ElementCode name, out PackedElement value, out long expiresAtMs)
    {
        if (!_trees!.Hashes.TryGet(_tree, _trees.Hashes.Order.KeyOf(ElementScratch.Current.Encode(name)), out ReadOnlySpan<byte> entry))
        {
            value = default;
            expiresAtMs = -1;
            return false;
        }

        value = PackedEntries.Read(entry, PackedEntries.Next(entry, 0));
        expiresAtMs = HashEntry.Expiry(entry);
        return !IsExpired(expiresAtMs);
    }
}
