// A reference-counted native block holding one large value. Thread-safe counting; the bytes follow the store's latching rules.
using Garnet.Store.Memory;

namespace Garnet.Store;

/// <summary>A large value outside the log. Whoever holds a counted reference may read its bytes; nobody changes a shared block.</summary>
public readonly unsafe struct ValueBlock
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

    /// <summary>Where the bytes lie; stays so as long as a reference is held.</summary>
    public nint Address => Header == null ? 0 : (nint)Header->Data;

    /// <summary>Names the block to <see cref="FromToken"/>, for code that can carry a number but no struct.</summary>
    public nint Token => (nint)Header;

    internal BlockHeader* Header { get; }

    /// <summary>The block that <see cref="Token"/> was taken from; a reference to it must still be held.</summary>
    public static ValueBlock FromToken(HybridLogStore store, nint token) => new(store.Blocks, (BlockHeader*)token);

    /// <summary>
    /// A block for a value received in place, with one reference, to be given to <see cref="RecordHandle.SetBlock"/> or released. Only
    /// address space is taken: memory follows as the bytes are written, and is counted by <see cref="CountArrived"/>.
    /// </summary>
    public static ValueBlock Allocate(HybridLogStore store, int length)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return new ValueBlock(store.Blocks, store.Blocks.Allocate(length, length));
    }

    /// <summary>
    /// Counts the first <paramref name="bytes"/> of the block as memory in use; called as bytes arrive. The store counts the rest when it
    /// takes the block.
    /// </summary>
    public void CountArrived(int bytes) => _heap?.Count(Header, bytes);

    /// <summary>
    /// Gives the memory behind a part that is not needed any more back to the system; only by the one owner of a block that nobody shares.
    /// Parts of blocks up to 4 MiB are kept.
    /// </summary>
    /// <returns>The bytes given back, whole pages of them.</returns>
    public long GiveBack(long start, long end) => Header == null ? 0 : _heap!.GiveBack(Header, start, end);

    /// <summary>Takes another reference; the caller must hold one.</summary>
    public void AddReference()
    {
        if (Header != null)
        {
            Interlocked.Increment(ref Header->References);
        }
    }

    /// <summary>Gives the reference back; frees the block when it was the last.</summary>
    public void Release() => _heap?.Release(Header);
}
