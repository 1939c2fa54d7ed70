// The limit on a node of Valkey's quicklist, and on lists stored as one listpack (list-max-listpack-size). Pure functions.
namespace Garnet.Store.Collections.Lists;

/// <summary>The setting is a number of elements when positive; -1 to -5 mean 4 to 64 KiB.</summary>
internal readonly struct ListNodeLimit
{
    // The overhead that Valkey assumes for an element when it checks whether the element still fits, and the size limit of a node whose
    // limit is a number of elements.
    private const int FrameEstimate = 8;
    private const long SafeBytes = 8192;
    private const int LargestStep = 5;
    private readonly long _bytes;
    private readonly long _count;
    private readonly bool _isByBytes;

    /// <summary>The limit for a value of the setting.</summary>
    public ListNodeLimit(int setting)
    {
        _isByBytes = setting < 0;
        _bytes = _isByBytes ? 4096L << (Math.Min(-setting, LargestStep) - 1) : SafeBytes;
        _count = _isByBytes ? long.MaxValue : Math.Max(1, setting);
    }

    /// <summary>The form in which a list records the setting in force when it was split into nodes.</summary>
    public static short Remembered(int setting) => (short)Math.Clamp(setting, -LargestStep, short.MaxValue);

    /// <summary>Whether an element of this length gets a node of its own.</summary>
    public bool IsLarge(long length) => length > _bytes;

    /// <summary>Whether the given contents exceed one listpack.</summary>
    public bool IsExceededBy(long bytes, long count) => bytes > _bytes || count > _count;

    /// <summary>Whether an element of this length still fits into a node.</summary>
    public bool Takes(in ListNode node, long length) =>
        !node.IsPlain && !IsLarge(length) && !IsExceededBy(node.Bytes + length + FrameEstimate, node.Count + 1);

    /// <summary>Whether two adjacent nodes can be merged.</summary>
    public bool Joins(in ListNode left, in ListNode right) =>
        !left.IsPlain && !right.IsPlain && !IsExceededBy(left.Bytes + right.Bytes - ListPackSize.Empty, left.Count + right.Count);

    /// <summary>
    /// Whether a list with one such node becomes a listpack again. A list that has shrunk must be at most half of the limit, so that it
    /// does not alternate between the encodings.
    /// </summary>
    public bool IsListPack(in ListNode node, bool isShrinking)
    {
        int half = isShrinking ? 1 : 0;
        return !node.IsPlain && (_isByBytes ? node.Bytes <= _bytes >> half : node.Count <= _count >> half);
    }
}
