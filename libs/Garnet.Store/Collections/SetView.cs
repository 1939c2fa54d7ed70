// Reads a set from the bytes of its value, under a latch or without one. Lives on the stack of the read.
namespace Garnet.Store;

/// <summary>A set as its record's bytes say it; without a latch what it says holds only once the read has been found valid (<see cref="IValueReader"/>).</summary>
public readonly ref struct SetView
{
    private readonly ReadOnlySpan<byte> _bytes;

    /// <summary>Reads what an <see cref="IValueReader"/> is given.</summary>
    /// <param name="value">The value's bytes.</param>
    /// <param name="info">What came with them.</param>
    public SetView(ReadOnlySpan<byte> value, in RecordInfo info)
        : this(value, info.IsStill)
    {
    }

    // Bytes that stand still, or without a latch: then nothing they point to is followed.
    internal SetView(ReadOnlySpan<byte> value, bool isStill)
    {
        _bytes = value;
    }

    /// <summary>Members.</summary>
    public long Length => PackedForm.Count(_bytes);

    internal bool IsIntegers => PackedForm.Kind(_bytes) == PackedForm.Integers;

    /// <summary>Whether a member is there.</summary>
    public bool Contains(ReadOnlySpan<byte> member)
    {
        if (IsIntegers)
        {
            return ElementCode.TryParseInteger(member, out long integer) && IntegerArray.Find(_bytes, integer) >= 0;
        }

        return Find(ElementCode.Of(member)) >= 0;
    }

    /// <summary>All members: integers ascending while the set reports intset, else in order of insertion while it is small.</summary>
    public SetEnumerator GetEnumerator() => new(_bytes, this);

    internal int Find(in ElementCode member) => PackedEntries.Find(_bytes, Math.Min(PackedForm.HeaderBytes, _bytes.Length), 1, member);

    /// <summary>Where the entry with an index starts; not for integers.</summary>
    internal int OffsetOf(long index) => PackedEntries.Skip(_bytes, Math.Min(PackedForm.HeaderBytes, _bytes.Length), index);

    internal PackedElement At(long index)
        => IsIntegers ? new PackedElement(IntegerArray.At(_bytes, (int)index)) : PackedEntries.Read(_bytes, OffsetOf(index));
}
