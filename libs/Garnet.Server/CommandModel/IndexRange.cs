// Ranges of indexes as clients give them. Immutable.
namespace Garnet.Server.CommandModel;

/// <summary>Consecutive elements of a sequence.</summary>
/// <param name="First">Index of the first; 0 when there is none.</param>
/// <param name="Count">How many.</param>
internal readonly record struct IndexRange(long First, long Count)
{
    /// <summary>
    /// What <c>start stop</c> means for a sequence of some length: both included, negative ones from the end, what is beyond the ends left
    /// out.
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
