// One node of a list as Valkey would cut it. Eight bytes, immutable; changed by exchanging it.
namespace Garnet.Store.Collections.Lists;

/// <summary>
/// What a node of Valkey's quicklist holds: elements and bytes. A plain node is one element that is too long to share a node, without any
/// frame.
/// </summary>
internal readonly struct ListNode
{
    /// <summary>The most bytes that a node grows to by the exchange of its elements.</summary>
    public const long MaxBytes = 1 << 30;

    private const uint PlainMark = 1u << 31;
    private readonly uint _bytes;
    private readonly uint _count;

    private ListNode(long bytes, uint count)
    {
        _bytes = checked((uint)bytes);
        _count = count;
    }

    /// <summary>Elements.</summary>
    public long Count => _count & ~PlainMark;

    /// <summary>Bytes of the listpack, or of the plain element.</summary>
    public long Bytes => _bytes;

    /// <summary>Whether it is one element by itself.</summary>
    public bool IsPlain => (_count & PlainMark) != 0;

    /// <summary>A node of one element that is too long for others beside it.</summary>
    public static ListNode Plain(long bytes) => new(bytes, PlainMark | 1);

    /// <summary>A listpack of so many bytes, its frame among them.</summary>
    public static ListNode Packed(long count, long bytes) => new(bytes, checked((uint)count));

    /// <summary>A listpack of one element that takes so many bytes.</summary>
    public static ListNode Single(long size) => new(ListPackSize.Empty + size, 1);

    /// <summary>This listpack with elements more or fewer.</summary>
    public ListNode Plus(long count, long bytes) => new(_bytes + bytes, (uint)(_count + count));
}
