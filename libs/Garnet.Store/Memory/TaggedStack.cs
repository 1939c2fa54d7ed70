// A lock-free stack of small numbers whose links are stored in the caller's native memory. Thread-safe; the tag in the head prevents ABA.
namespace Garnet.Store.Memory;

/// <summary>
/// The head of a stack of indexes: 32 bits of tag, 32 bits of index (0 = empty). The links are stored by the caller at <c>links + index *
/// stride</c>.
/// </summary>
internal unsafe struct TaggedStack
{
    private long _head;

    /// <summary>True when the stack was empty a moment ago.</summary>
    public bool IsEmpty => (uint)Volatile.Read(ref _head) == 0;

    /// <summary>Pushes an index; its link is a 4-byte field at <paramref name="links"/> + index * <paramref name="stride"/>.</summary>
    public void Push(byte* links, long stride, uint index)
    {
        uint* link = (uint*)(links + (index * stride));
        while (true)
        {
            long head = Volatile.Read(ref _head);
            Volatile.Write(ref *link, (uint)head);
            if (Interlocked.CompareExchange(ref _head, Next(head, index), head) == head)
                return;
        }
    }

    /// <summary>
    /// Pops an index, 0 when empty. The link of an index that another thread pops concurrently may be read; its memory must stay mapped.
    /// </summary>
    public uint Pop(byte* links, long stride)
    {
        while (true)
        {
            long head = Volatile.Read(ref _head);
            uint index = (uint)head;
            if (index == 0)
                return 0;

            uint below = Volatile.Read(ref *(uint*)(links + (index * stride)));
            if (Interlocked.CompareExchange(ref _head, Next(head, below), head) == head)
                return index;
        }
    }

    private static long Next(long head, uint index) => (long)((((ulong)head >> 32) + 1) << 32) | index;
}
