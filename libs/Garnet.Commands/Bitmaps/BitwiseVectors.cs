// Bitwise operations on byte strings, 32 bytes at a time. Stateless.
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Garnet.Commands.Bitmaps;

/// <summary>Combines a string with another in place; the shorter one counts as padded with zeros.</summary>
internal static class BitwiseVectors
{
    /// <summary>target = target op other</summary>
    public static void Combine(BitOperation operation, Span<byte> target, ReadOnlySpan<byte> other)
    {
        if (other.Length < target.Length)
        {
            if (operation == BitOperation.And)
                target[other.Length..].Clear();
            target = target[..other.Length];
        }

        Span<Vector256<byte>> left = MemoryMarshal.Cast<byte, Vector256<byte>>(target);
        ReadOnlySpan<Vector256<byte>> right = MemoryMarshal.Cast<byte, Vector256<byte>>(other)[..left.Length];
        int done = left.Length * Vector256<byte>.Count;
        switch (operation)
        {
            case BitOperation.And:
                for (int i = 0; i < left.Length; i++)
                    left[i] &= right[i];
                for (int i = done; i < target.Length; i++)
                    target[i] &= other[i];
                break;
            case BitOperation.Or:
                for (int i = 0; i < left.Length; i++)
                    left[i] |= right[i];
                for (int i = done; i < target.Length; i++)
                    target[i] |= other[i];
                break;
            case BitOperation.Xor:
                for (int i = 0; i < left.Length; i++)
                    left[i] ^= right[i];
                for (int i = done; i < target.Length; i++)
                    target[i] ^= other[i];
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(operation));
        }
    }

    /// <summary>Inverts every bit.</summary>
    public static void Invert(Span<byte> target)
    {
        Span<Vector256<byte>> vectors = MemoryMarshal.Cast<byte, Vector256<byte>>(target);
        for (int i = 0; i < vectors.Length; i++)
            vectors[i] = ~vectors[i];
        for (int i = vectors.Length * Vector256<byte>.Count; i < target.Length; i++)
            target[i] = (byte)~target[i];
    }
}
