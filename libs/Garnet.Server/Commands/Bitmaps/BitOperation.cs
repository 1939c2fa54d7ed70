// The operations of BITOP. Immutable.
namespace Garnet.Server.Commands.Bitmaps;

/// <summary>A bitwise operation on strings.</summary>
internal enum BitOperation
{
    And,
    Or,
    Xor,
    Not,
}
