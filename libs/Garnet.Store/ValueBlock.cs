// A reference-counted native block that holds one large value. Counting is thread-safe; the bytes follow the store's latching rules.
using Garnet.Store.Memory;
using Garnet.Store.Records;

namespace Garnet.Store;

/// <summary>A large value outside of the log. The holder of a reference may read its bytes; a shared block is never changed.</summary>
internal readonly unsafe struct ValueBlock
{
    private readonly BlockHeap? _heap;

    internal ValueBlock(BlockHeap heap, BlockHeader* header)
    {
        _heap = heap;
        Header = header;
    }

    /// <summary>Number of bytes in use.</summary>
    public int Length => Header == null ? 0 : Header->Length;

    /// <summary>The bytes in use.</summary>
    public Span<byte> Span => Header == null ? default : new Span<byte>(Header->Data, Header->Length);

    /// <summary>Address of the bytes; constant while a reference is held.</summary>
    public nint Address => Header == null ? 0 : (nint)Header->Data;

    /// <summary>Identifies the block to <see cref="FromToken"/>, for code that can carry a number but no struct.</summary>
    public nint Token => (nint)Header;

    internal BlockHeader* Header { get; }

    /// <summary>The block that <see cref="Token"/> was taken from; a reference to it must still be held.</summary>
    public static ValueBlock FromToken(HybridLogStore store, nint token) => new(store.Blocks, (BlockHeader*)token);

    /// <summary>
    /// A block for a value received in place, with one reference, to be passed to
    /// <see cref="RecordHandle.SetBlock(ValueBlock, long, in SlidingExpiry)"/> or released. Only address space is allocated: memory is used
    /// as the bytes are written, and is counted by <see cref="CountArrived"/>.
    /// </summary>
    public static ValueBlock Allocate(HybridLogStore store, int length)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return new ValueBlock(store.Blocks, store.Blocks.Allocate(length, length));
    }

    /// <summary>
    /// Counts the first <paramref name="bytes"/> of the block as memory in use; called as bytes arrive. The store counts the rest when it
    /// takes ownership of the block.
    /// </summary>
    public void CountArrived(int bytes) => _heap?.Count(Header, bytes);

    /// <summary>
    /// Returns the memory of a part that is no longer needed to the system; only for the sole owner of an unshared block. Blocks up to 4
    /// MiB keep theirs.
    /// </summary>
    /// <returns>The number of bytes returned, in whole pages.</returns>
    public long GiveBack(long start, long end) => Header == null ? 0 : _heap!.GiveBack(Header, start, end);

    /// <summary>Adds a reference; the caller must already hold one.</summary>
    public void AddReference()
    {
        if (Header != null)
            Interlocked.Increment(ref Header->References);
    }

    /// <summary>Releases the reference; the last one frees the block.</summary>
    public void Release() => _heap?.Release(Header);
}
