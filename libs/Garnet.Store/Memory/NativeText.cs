// Where some bytes of the store lie. Immutable; valid as long as its user keeps the store from changing them.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Store.Memory;

/// <summary>
/// Remembers a place in native memory beyond the life of a span: for a session that runs alone and changes nothing meanwhile.
/// </summary>
public readonly unsafe struct NativeText
{
    private readonly byte* _place;
    private readonly int _length;

    /// <summary>The place of bytes in native memory.</summary>
    public NativeText(ReadOnlySpan<byte> text)
    {
        _place = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(text));
        _length = text.Length;
    }

    /// <summary>Number of bytes.</summary>
    public int Length => _length;

    /// <summary>A part of the bytes.</summary>
    public Span<byte> Slice(int offset, int length)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)offset + (ulong)(uint)length, (ulong)_length);
        return new Span<byte>(_place + offset, length);
    }
}
