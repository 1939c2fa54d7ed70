// What a node of Valkey's quicklist may hold, and when a list is one listpack: list-max-listpack-size. Pure.
namespace Garnet.Store.Collections.Lists;

/// <summary>Judges by a setting that is a number of elements when positive; -1 to -5 stand for 4 to 64 KiB.</summary>
internal readonly struct ListNodeLimit
{
    // What Valkey reserves for an element's frame when it asks whether the element still fits, and the bytes that a node is bound to when
    // its limit is a number of elements.
    private const int FrameEstimate = 8;
    private const long SafeBytes = 8192;
    private const int LargestStep = 5;
    private readonly long _bytes;
    private readonly long _count;
    private readonly bool _isByBytes;

    /// <summary>The limit that a setting means.</summary>
    public ListNodeLimit(int setting)
    {
        _isByBytes = setting < 0;
        _bytes = _isByBytes ? 4096L << (Math.Min(-setting, LargestStep) - 1) : SafeBytes;
        _count = _isByBytes ? long.MaxValue : Math.Max(1, setting);
    }

    /// <summary>What a list remembers of the setting that was in force when it became one of nodes.</summary>
    public static short Remembered(int setting) => (short)Math.Clamp(setting, -LargestStep, short.MaxValue);

    /// <summary>Whether an element of a length lies in a node of its own.</summary>
    public bool IsLarge(long length) => length > _bytes;

    /// <summary>Whether so much is more than one listpack may hold.</summary>
    public bool IsExceededBy(long bytes, long count) => bytes > _bytes || count > _count;

    /// <summary>Whether an element of a length still goes into a node.</summary>
    public bool Takes(in ListNode node, long length) =>
        !node.IsPlain && !IsLarge(length) && !IsExceededBy(node.Bytes + length + FrameEstimate, node.Count + 1);

    /// <summary>Whether two neighbours go into one.</summary>
    public bool Joins(in ListNode left, in ListNode right) =>
        !left.IsPlain && !right.IsPlain && !IsExceededBy(left.Bytes + right.Bytes - ListPackSize.Empty, left.Count + right.Count);

    /// <summary>
    /// Whether a list of one such node becomes a listpack again; one that shrank must be half as large as it may be, so that it does not go
    /// to and fro.
    /// </summary>
    public bool IsListPack(in ListNode node, bool isShrinking)
    {
        int half = isShrinking ? 1 : 0;
        return !node.IsPlain && (_isByBytes ? node.Bytes <= _bytes >> half : node.Count <= _count >> half);
    }
}
