// Copies the items of a value whose type is not known. One thread.
using Garnet.Store.DataTypes;

namespace Garnet.Persistence.Rdb.Values;

/// <summary>
/// Follows the items up to their end tag, as far as it is needed to find it, and keeps their bytes as they are: compressed strings stay
/// compressed. No length is believed before the bytes have arrived.
/// </summary>
internal ref struct RdbItemCopier
{
    // The last known encoding of a length.
    private const byte LongLength = 0x81;

    private readonly RdbScratch _copied = new();

    public RdbItemCopier() { }

    /// <summary>Copies all items with the end tag.</summary>
    /// <exception cref="RdbFormatException">They are damaged, or longer than a value may be.</exception>
    public readonly ReadOnlySpan<byte> Copy(scoped ref RdbSource source)
    {
        while (true)
        {
            ulong tag = CopyLength(ref source);
            switch (tag)
            {
                case RdbModule.End:
                    return _copied.Written;
                case RdbModule.Signed or RdbModule.Unsigned:
                    CopyLength(ref source);
                    break;
                case RdbModule.Float:
                    CopyBytes(ref source, sizeof(float));
                    break;
                case RdbModule.Double:
                    CopyBytes(ref source, sizeof(double));
                    break;
                case RdbModule.String:
                    CopyString(ref source);
                    break;
                default:
                    throw source.Wrong($"The value of a custom type has an item of the unknown kind {tag}");
            }
        }
    }

    private readonly void CopyString(scoped ref RdbSource source)
    {
        byte form = source.Peek();
        switch (form)
        {
            case RdbString.Int8 or RdbString.Int16 or RdbString.Int32:
                CopyBytes(ref source, 1 + (1UL << (form & 3)));
                break;
            case RdbString.Compressed:
                CopyBytes(ref source, 1);
                ulong compressed = CopyLength(ref source);
                CopyLength(ref source);
                CopyBytes(ref source, compressed);
                break;
            case >= 0xC0:
                throw source.Wrong($"A string's encoding {form & 0x3F} is unknown");
            default:
                CopyBytes(ref source, CopyLength(ref source));
                break;
        }
    }

    private readonly ulong CopyLength(scoped ref RdbSource source)
    {
        byte first = source.Peek();
        int before = _copied.Length;
        CopyBytes(
            ref source,
            (first >> 6, first) switch
            {
                (0 or 3, _) => 1,
                (1, _) => 2,
                (2, < LongLength) => 1 + sizeof(uint),
                (2, LongLength) => 1 + sizeof(ulong),
                _ => throw source.Wrong($"A length's encoding {first} is unknown"),
            }
        );
        return new RdbSource(_copied.Written[before..], 0, _copied).ReadLength();
    }

    private readonly void CopyBytes(scoped ref RdbSource source, ulong count)
    {
        if (count > (ulong)(KeptType.MaxItemBytes - _copied.Length))
            throw source.Wrong("The value of a custom type is too long");
        for (int left = (int)count; left > 0; )
        {
            ReadOnlySpan<byte> piece = source.ReadPiece(left);
            _copied.Add(piece);
            left -= piece.Length;
        }
    }
}
