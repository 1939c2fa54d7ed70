// A block of native memory for receiving and sending, or a reference to memory owned elsewhere. Used by one thread at a time; BlockPool
// hands it over.
using System.Buffers;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Garnet.Network.Features;

namespace Garnet.Network.Buffers;

internal sealed unsafe class Block : MemoryManager<byte>
{
    /// <summary>Size class of a block that is too large to be pooled.</summary>
    internal const int Unpooled = -1;

    /// <summary>Size class of a block that references other memory.</summary>
    internal const int Reference = -2;

    private const nuint CacheLine = 64;

    internal byte* Pointer;
    internal int Capacity;
    internal readonly int SizeClass;

    /// <summary>The pool to return the block to; null for a reference.</summary>
    internal readonly BlockPool? Pool;

    // Used while the block waits to be sent: [Start, End) are the bytes to send.
    internal Block? Next;
    internal long Start;
    internal long End;

    // The session still fills this block although it is queued already; the sender must not remove it when it runs empty.
    internal bool Appending;

    internal ISendOwner? Owner;
    internal nint Token;

    internal Block(BlockPool? pool, int sizeClass, int capacity)
    {
        Pool = pool;
        SizeClass = sizeClass;
        Capacity = capacity;
        if (sizeClass != Reference)
            Pointer = (byte*)NativeMemory.AlignedAlloc((nuint)capacity, CacheLine);
    }

    internal void Refer(nint pointer, long length, ISendOwner owner, nint token)
    {
        Debug.Assert(SizeClass == Reference && Owner is null);
        Pointer = (byte*)pointer;
        Capacity = (int)length;
        Start = 0;
        End = length;
        Owner = owner;
        Token = token;
    }

    internal void Free()
    {
        Debug.Assert(SizeClass != Reference);
        NativeMemory.AlignedFree(Pointer);
        Pointer = null;
        Capacity = 0;
    }

    public override Span<byte> GetSpan() => new(Pointer, Capacity);

    // Native memory never moves, so pinning only returns the address.
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)elementIndex, (uint)Capacity);
        return new MemoryHandle(Pointer + elementIndex);
    }

    public override void Unpin() { }

    internal Memory<byte> Slice(int start, int length) => CreateMemory(start, length);

    protected override void Dispose(bool disposing) { }
}
