// The ID of a stream's entry. Immutable.
using System.Buffers.Binary;

namespace Garnet.Store.Collections.Streams;

/// <summary>A time in milliseconds and a sequence number within it; ordered by both.</summary>
/// <param name="Milliseconds">The time, usually Unix time.</param>
/// <param name="Sequence">The sequence number.</param>
internal readonly record struct StreamId(ulong Milliseconds, ulong Sequence) : IComparable<StreamId>
{
    /// <summary>0-0, which no entry has.</summary>
    public static readonly StreamId Min;

    /// <summary>The greatest ID.</summary>
    public static readonly StreamId Max = new(ulong.MaxValue, ulong.MaxValue);

    /// <summary>Whether one ID is below another.</summary>
    public static bool operator <(StreamId left, StreamId right) => left.CompareTo(right) < 0;

    /// <summary>Whether one ID is above another.</summary>
    public static bool operator >(StreamId left, StreamId right) => left.CompareTo(right) > 0;

    /// <summary>Whether one ID is at most another.</summary>
    public static bool operator <=(StreamId left, StreamId right) => left.CompareTo(right) <= 0;

    /// <summary>Whether one ID is at least another.</summary>
    public static bool operator >=(StreamId left, StreamId right) => left.CompareTo(right) >= 0;

    /// <inheritdoc/>
    public int CompareTo(StreamId other) =>
        Milliseconds != other.Milliseconds ? Milliseconds.CompareTo(other.Milliseconds) : Sequence.CompareTo(other.Sequence);

    /// <summary>Reads an ID from its key form, sixteen bytes big-endian, which sorts like the IDs.</summary>
    internal static StreamId ReadKey(ReadOnlySpan<byte> bytes) =>
        new(BinaryPrimitives.ReadUInt64BigEndian(bytes), BinaryPrimitives.ReadUInt64BigEndian(bytes[sizeof(ulong)..]));

    /// <summary>Writes what <see cref="ReadKey"/> reads.</summary>
    internal void WriteKey(Span<byte> bytes)
    {
        BinaryPrimitives.WriteUInt64BigEndian(bytes, Milliseconds);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[sizeof(ulong)..], Sequence);
    }

    /// <inheritdoc/>
    public override string ToString() => $"{Milliseconds}-{Sequence}";
}
