// The type-stable header of a native block: once a header, always a header, so that a stale pointer to one can be counted safely.
using System.Runtime.InteropServices;

namespace Garnet.Store.Memory;

/// <summary>Bookkeeping of one block of bytes outside the log.</summary>
[StructLayout(LayoutKind.Explicit, Size = 64)]
internal unsafe struct BlockHeader
{
    /// <summary>Next free header of the same class (see TaggedStack).</summary>
    [FieldOffset(0)]
    public uint NextFree;

    /// <summary>References; 0 when free.</summary>
    [FieldOffset(4)]
    public int References;

    /// <summary>Bytes in use.</summary>
    [FieldOffset(8)]
    public int Length;

    /// <summary>Class of the data: 0 when the data was mapped for this block alone.</summary>
    [FieldOffset(12)]
    public int SizeClass;

    /// <summary>The bytes.</summary>
    [FieldOffset(16)]
    public byte* Data;

    /// <summary>Bytes of address space behind <see cref="Data"/>.</summary>
    [FieldOffset(24)]
    public long Capacity;

    /// <summary>Bytes counted as memory in use.</summary>
    [FieldOffset(32)]
    public long CountedBytes;

    /// <summary>The hash of a key held here, so that splits need not hash it again.</summary>
    [FieldOffset(40)]
    public ulong KeyHash;
}
