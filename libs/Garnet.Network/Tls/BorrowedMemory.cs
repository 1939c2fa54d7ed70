// Wraps another owner's native memory as Memory, for one operation. Any thread; the owner keeps the memory alive.
using System.Buffers;

namespace Garnet.Network.Tls;

internal sealed unsafe class BorrowedMemory(nint address, long length) : MemoryManager<byte>
{
    // A Memory's length is an int; longer memory is used piece by piece.
    private readonly int _length = (int)Math.Min(length, int.MaxValue);

    public override Span<byte> GetSpan() => new((void*)address, _length);

    // Native memory never moves, so pinning only returns the address.
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)elementIndex, (uint)_length);
        return new MemoryHandle((byte*)address + elementIndex);
    }

    public override void Unpin() { }

    protected override void Dispose(bool disposing) { }
}
