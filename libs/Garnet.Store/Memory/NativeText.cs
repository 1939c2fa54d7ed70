// The location of some bytes of the store. Immutable; valid as long as its user keeps the store from changing them.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Store.Memory;

/// <summary>
/// A reference to native memory that outlives a span: for a session that runs exclusively and makes no changes in the meantime.
/// </summary>
internal readonly unsafe struct NativeText
{
    private readonly byte* _place;
    private readonly int _length;

    /// <summary>The location of bytes in native memory.</summary>
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
