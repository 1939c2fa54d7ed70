// A part of an argument. Immutable.
namespace Garnet.Bench.Workloads;

/// <summary>Bytes, or a placeholder.</summary>
/// <param name="Kind">Which of them.</param>
/// <param name="Bytes">A literal's bytes; the prefix of a key.</param>
/// <param name="Slot">Which shared number.</param>
internal sealed record TemplatePiece(PieceKind Kind, byte[] Bytes, int Slot = 0)
{
    /// <summary>Digits of random numbers, as in redis-benchmark.</summary>
    public const int NumberDigits = 12;

    /// <summary>Digits of the largest number of a key.</summary>
    public const int MaxKeyDigits = 20;

    /// <summary>Its length in bytes if that is always the same, else null.</summary>
    public int? FixedLength =>
        Kind switch
        {
            PieceKind.Literal => Bytes.Length,
            PieceKind.Number or PieceKind.SharedNumber => NumberDigits,
            _ => null,
        };
}
