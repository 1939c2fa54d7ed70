// Ranges of indexes given by clients. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>Consecutive elements of a sequence.</summary>
/// <param name="First">Index of the first; 0 when there is none.</param>
/// <param name="Count">Number of elements.</param>
internal readonly record struct IndexRange(long First, long Count)
{
    /// <summary>
    /// Resolves <c>start stop</c> for a sequence: both are inclusive, negative ones count from the end, and indexes beyond the ends are
    /// clipped.
    /// </summary>
    public static IndexRange Resolve(long start, long stop, long length)
    {
        if (start < 0)
            start = Math.Max(0, start + length);
        if (stop < 0)
            stop += length;
        if (start > stop || start >= length)
            return default;
        return new IndexRange(start, Math.Min(stop, length - 1) - start + 1);
    }
}
