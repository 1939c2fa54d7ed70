// A number alone on its cache lines, so that threads that use different ones never share a line.
using System.Runtime.InteropServices;

namespace Garnet.Store.Epochs;

/// <summary>A long with 128 bytes of nothing on both sides (two lines: adjacent lines are fetched in pairs).</summary>
[StructLayout(LayoutKind.Explicit, Size = 264)]
internal struct PaddedLong
{
    /// <summary>The number.</summary>
    [FieldOffset(128)]
    public long Value;
}
