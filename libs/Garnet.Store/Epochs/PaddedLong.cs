// A number on cache lines of its own, to avoid false sharing between threads.
using System.Runtime.InteropServices;

namespace Garnet.Store.Epochs;

/// <summary>A long padded by 128 bytes on both sides (two lines each, because adjacent lines are fetched in pairs).</summary>
[StructLayout(LayoutKind.Explicit, Size = 264)]
internal struct PaddedLong
{
    /// <summary>The number.</summary>
    [FieldOffset(128)]
    public long Value;
}
