// What opens a chunk of a snapshot's buffer. Only in memory.
using System.Runtime.InteropServices;

namespace Garnet.Store.Snapshots;

/// <summary>Bookkeeping of one chunk.</summary>
[StructLayout(LayoutKind.Explicit, Size = 16)]
internal struct ChunkHeader
{
    /// <summary>Next chunk of the stack it is in (see TaggedStack); must come first.</summary>
    [FieldOffset(0)]
    public uint Link;

    /// <summary>Bytes in use, this header included.</summary>
    [FieldOffset(4)]
    public int UsedBytes;

    /// <summary>Bytes that the chunk's images keep alive elsewhere, about.</summary>
    [FieldOffset(8)]
    public long HeldBytes;
}
