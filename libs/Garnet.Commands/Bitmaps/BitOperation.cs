// The operations of BITOP. Immutable.
namespace Garnet.Commands.Bitmaps;

/// <summary>A bitwise operation on strings.</summary>
internal enum BitOperation
{
    And,
    Or,
    Xor,
    Not,
}
