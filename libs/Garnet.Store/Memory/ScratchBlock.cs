// A block of scratch memory. Immutable; released once, by its owner.
namespace Garnet.Store.Memory;

/// <summary>Native bytes from <see cref="ScratchMemory"/>.</summary>
internal readonly unsafe struct ScratchBlock
{
    private readonly byte* _memory;

    internal ScratchBlock(byte* memory, long bytes)
    {
        _memory = memory;
        Bytes = bytes;
    }

    /// <summary>Size in bytes; 0 for no block.</summary>
    public long Bytes { get; }

    /// <summary>A part of the block.</summary>
    public Span<byte> Slice(long offset, int length)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((ulong)offset, (ulong)(Bytes - length));
        return new Span<byte>(_memory + offset, length);
    }

    /// <summary>The block as a span of as many items as fit.</summary>
    public Span<T> As<T>()
        where T : unmanaged => new(_memory, (int)Math.Min(Bytes / sizeof(T), int.MaxValue));

    internal T* Pointer<T>()
        where T : unmanaged => (T*)_memory;

    /// <summary>Frees the block; no part of it may be used afterwards.</summary>
    public void Release()
    {
        if (Bytes != 0)
            ScratchMemory.Return(_memory, Bytes);
    }
}
