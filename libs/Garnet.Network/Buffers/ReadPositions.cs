// Converts the read position of a session in its single segment. Stateless.
using System.IO.Pipelines;

namespace Garnet.Network.Buffers;

/// <summary>
/// Turns the positions passed to <see cref="PipeReader.AdvanceTo(SequencePosition, SequencePosition)"/> into offsets in the block.
/// </summary>
internal static class ReadPositions
{
    // ReadOnlySequence marks the kind of its memory in the topmost bit of a position's integer.
    private const int OffsetMask = 0x7FFFFFFF;

    /// <summary>The offsets of positions that must lie between <paramref name="start"/> and <paramref name="end"/> of a block.</summary>
    public static (int Consumed, int Examined) Within(
        Block? block,
        int start,
        int end,
        SequencePosition consumed,
        SequencePosition examined
    )
    {
        if (consumed.GetObject() != block || examined.GetObject() != block)
            throw new InvalidOperationException("The position does not belong to the last read.");
        int first = consumed.GetInteger() & OffsetMask;
        int seen = examined.GetInteger() & OffsetMask;
        if (first < start || seen < first || seen > end)
            throw new ArgumentOutOfRangeException(nameof(consumed));
        return (first, seen);
    }
}
