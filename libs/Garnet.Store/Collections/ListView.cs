// Reads a list from the bytes of its value, under a latch or without one. Lives on the stack of the read.
namespace Garnet.Store;

/// <summary>A list as its record's bytes say it; without a latch what it says holds only once the read has been found valid (<see cref="IValueReader"/>).</summary>
public readonly ref struct ListView
{
    private readonly ReadOnlySpan<byte> _bytes;

    /// <summary>Reads what an <see cref="IValueReader"/> is given.</summary>
    /// <param name="value">The value's bytes.</param>
    /// <param name="info">What came with them.</param>
    public ListView(ReadOnlySpan<byte> value, in RecordInfo info)
        : this(value, info.IsStill)
    {
    }

    // Bytes that stand still, or without a latch: then nothing they point to is followed.
    internal ListView(ReadOnlySpan<byte> value, bool isStill)
    {
        _bytes = value;
    }

    /// <summary>Elements.</summary>
    public long Length => PackedForm.Count(_bytes);

    /// <summary>The element with an index from the head on; false when there is none.</summary>
    public bool TryGetAt(long index, out PackedElement element)
    {
        if (index < 0 || index >= Length)
        {
            element = default;
            return false;
        }

        element = PackedEntries.Read(_bytes, OffsetOf(index));
        return true;
    }

    /// <summary>So many elements from an index on, towards the tail or towards the head.</summary>
    public ListEnumerator Range(long first, long count, bool isReverse = false) => new(_bytes, this, first, count, isReverse);

    internal int OffsetOf(long index) => PackedEntries.Skip(_bytes, Math.Min(PackedForm.ListHeaderBytes, _bytes.Length), index);
}
