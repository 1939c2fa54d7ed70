// Where one argument of a request lies. A plain value; no thread owns it.
namespace Garnet.Protocol;

/// <summary>
/// The place of one argument: in the receive buffer (offset 0 or more), in the table's scratch area (a complemented offset), or outside both
/// (received straight into a block of the caller's). <see cref="ArgumentTable.Get"/> resolves all three.
/// </summary>
/// <param name="Offset">Offset into the receive buffer, or a marker as above.</param>
/// <param name="Length">Length in bytes.</param>
public readonly record struct ArgumentRange(int Offset, int Length)
{
    private const int ExternalOffset = int.MinValue;

    /// <summary>True when the bytes lie in the receive buffer at <see cref="Offset"/>.</summary>
    public bool IsInBuffer => Offset >= 0;

    /// <summary>True when the caller received the bytes itself.</summary>
    public bool IsExternal => Offset == ExternalOffset;

    internal int ScratchOffset => ~Offset;

    internal static ArgumentRange InScratch(int offset, int length) => new(~offset, length);

    internal static ArgumentRange External(int length) => new(ExternalOffset, length);
}
