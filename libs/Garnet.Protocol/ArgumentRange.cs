// Where one argument of a request lies. A plain value; no thread owns it.
namespace Garnet.Protocol;

/// <summary>
/// The place of one argument: in the receive buffer (offset 0 or more), in the table's scratch area (a complemented offset), or outside
/// both, under a handle of <see cref="IExternalArguments"/>. <see cref="ArgumentTable.Get"/> resolves all three.
/// </summary>
/// <param name="Offset">Offset into the receive buffer, or a marker as above.</param>
/// <param name="Length">Length in bytes.</param>
public readonly record struct ArgumentRange(int Offset, int Length)
{
    /// <summary>Handles of external arguments are below this number.</summary>
    public const int ExternalHandles = 1 << 30;

    /// <summary>True when the bytes lie in the receive buffer at <see cref="Offset"/>.</summary>
    public bool IsInBuffer => Offset >= 0;

    /// <summary>True when the bytes are kept by the table's <see cref="IExternalArguments"/>.</summary>
    public bool IsExternal => Offset < -ExternalHandles;

    /// <summary>Names an external argument to whoever keeps it.</summary>
    public int ExternalHandle => Offset - int.MinValue;

    internal int ScratchOffset => ~Offset;

    /// <summary>The place of an argument that is kept outside of the receive buffer.</summary>
    public static ArgumentRange External(int handle, int length) => new(int.MinValue + handle, length);

    internal static ArgumentRange InScratch(int offset, int length) => new(~offset, length);
}
