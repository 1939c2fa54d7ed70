// The position of one argument of a request. A plain value, owned by no thread.
namespace Garnet.Protocol;

/// <summary>
/// The position of one argument: in the receive buffer (offset 0 or more), in the table's scratch area (a complemented offset), or outside
/// both, under a handle of <see cref="IExternalArguments"/>. <see cref="ArgumentTable.Get"/> resolves all three.
/// </summary>
/// <param name="Offset">Offset into the receive buffer, or an encoded position as above.</param>
/// <param name="Length">Length in bytes.</param>
internal readonly record struct ArgumentRange(int Offset, int Length)
{
    /// <summary>Handles of external arguments are below this number.</summary>
    public const int ExternalHandles = 1 << 30;

    /// <summary>True when the bytes are in the receive buffer at <see cref="Offset"/>.</summary>
    public bool IsInBuffer => Offset >= 0;

    /// <summary>True when the bytes are stored by the table's <see cref="IExternalArguments"/>.</summary>
    public bool IsExternal => Offset < -ExternalHandles;

    /// <summary>The handle of an external argument.</summary>
    public int ExternalHandle => Offset - int.MinValue;

    internal int ScratchOffset => ~Offset;

    /// <summary>The position of an argument stored outside of the receive buffer.</summary>
    public static ArgumentRange External(int handle, int length) => new(int.MinValue + handle, length);

    internal static ArgumentRange InScratch(int offset, int length) => new(~offset, length);
}
