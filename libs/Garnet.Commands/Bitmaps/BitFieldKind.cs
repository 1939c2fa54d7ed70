// The subcommands of BITFIELD. Immutable.
namespace Garnet.Commands.Bitmaps;

/// <summary>What one operation of BITFIELD does.</summary>
internal enum BitFieldKind : byte
{
    Get,
    Set,
    IncrBy,
}
