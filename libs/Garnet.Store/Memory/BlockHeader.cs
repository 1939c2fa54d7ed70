// The type-stable header of a native block: its memory is never used for anything else, so a reference can be attempted safely through a
// stale pointer.
using System.Runtime.InteropServices;

namespace Garnet.Store.Memory;

/// <summary>Bookkeeping of one block of bytes outside of the log.</summary>
[StructLayout(LayoutKind.Explicit, Size = 64)]
internal unsafe struct BlockHeader
{
    /// <summary>Next free header of the same class (see TaggedStack).</summary>
    [FieldOffset(0)]
    public uint NextFree;

    /// <summary>Reference count; 0 when free.</summary>
    [FieldOffset(4)]
    public int References;

    /// <summary>Length of the data in use.</summary>
    [FieldOffset(8)]
    public int Length;

    /// <summary>Size class of the data; 0 when the data was mapped for this block alone.</summary>
    [FieldOffset(12)]
    public int SizeClass;

    /// <summary>The data.</summary>
    [FieldOffset(16)]
    public byte* Data;

    /// <summary>Size of the address space at <see cref="Data"/>.</summary>
    [FieldOffset(24)]
    public long Capacity;

    /// <summary>Bytes counted as memory in use.</summary>
    [FieldOffset(32)]
    public long CountedBytes;

    /// <summary>The hash of a key stored in this block, so that splits need not recompute it.</summary>
    [FieldOffset(40)]
    public ulong KeyHash;
}
