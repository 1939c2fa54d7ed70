// The header of a chunk of a snapshot's buffer. In memory only.
using System.Runtime.InteropServices;

namespace Garnet.Store.Snapshots;

/// <summary>Bookkeeping of one chunk.</summary>
[StructLayout(LayoutKind.Explicit, Size = 16)]
internal struct ChunkHeader
{
    /// <summary>Next chunk of the stack it is in (see TaggedStack); must come first.</summary>
    [FieldOffset(0)]
    public uint Link;

    /// <summary>Bytes in use, including this header.</summary>
    [FieldOffset(4)]
    public int UsedBytes;

    /// <summary>Approximate size of other memory that the chunk's images keep alive.</summary>
    [FieldOffset(8)]
    public long HeldBytes;
}
