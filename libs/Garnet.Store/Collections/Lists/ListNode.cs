// One node of a list as Valkey would divide it. Eight bytes, immutable; changed by replacement.
namespace Garnet.Store.Collections.Lists;

/// <summary>
/// The contents of one node of Valkey's quicklist, in elements and bytes. A plain node is a single element too long to share a node,
/// without a listpack around it.
/// </summary>
internal readonly struct ListNode
{
    /// <summary>The maximum size that a node reaches when its elements are replaced.</summary>
    public const long MaxBytes = 1 << 30;

    private const uint PlainMark = 1u << 31;
    private readonly uint _bytes;
    private readonly uint _count;

    private ListNode(long bytes, uint count)
    {
        _bytes = checked((uint)bytes);
        _count = count;
    }

    /// <summary>Number of elements.</summary>
    public long Count => _count & ~PlainMark;

    /// <summary>Size of the listpack, or of the plain element.</summary>
    public long Bytes => _bytes;

    /// <summary>Whether the node is a single element without a listpack.</summary>
    public bool IsPlain => (_count & PlainMark) != 0;

    /// <summary>A node of one element that is too long to share a node.</summary>
    public static ListNode Plain(long bytes) => new(bytes, PlainMark | 1);

    /// <summary>A listpack of the given size, including its header and terminator.</summary>
    public static ListNode Packed(long count, long bytes) => new(bytes, checked((uint)count));

    /// <summary>A listpack of one element that takes <paramref name="size"/> bytes.</summary>
    public static ListNode Single(long size) => new(ListPackSize.Empty + size, 1);

    /// <summary>This listpack with the counts changed by the given differences.</summary>
    public ListNode Plus(long count, long bytes) => new(_bytes + bytes, (uint)(_count + count));
}
