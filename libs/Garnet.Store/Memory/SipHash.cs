// SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF"): a keyed hash, so that clients cannot choose colliding keys.
// Immutable.
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Store.Memory;

/// <summary>The seeded hash of keys.</summary>
internal readonly struct SipHash
{
    private readonly ulong _k0;
    private readonly ulong _k1;

    /// <summary>A hash keyed by 64 bits, expanded to 128.</summary>
    public SipHash(ulong seed)
    {
        _k0 = Mix(seed + 0x9E3779B97F4A7C15);
        _k1 = Mix(seed + 0x3C6EF372FE94F82A);
    }

    /// <summary>SplitMix64's finalizer: each bit of the input affects all bits of the output.</summary>
    public static ulong Mix(ulong x)
    {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
        return x ^ (x >> 31);
    }

    /// <summary>The 64-bit hash of some bytes.</summary>
    public ulong Compute(ReadOnlySpan<byte> bytes)
    {
        ulong v0 = _k0 ^ 0x736F6D6570736575;
        ulong v1 = _k1 ^ 0x646F72616E646F6D;
        ulong v2 = _k0 ^ 0x6C7967656E657261;
        ulong v3 = _k1 ^ 0x7465646279746573;
        ref byte first = ref MemoryMarshal.GetReference(bytes);
        nint length = bytes.Length;
        nint offset = 0;
        for (; offset <= length - 8; offset += 8)
        {
            ulong word = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref first, offset));
            v3 ^= word;
            Round(ref v0, ref v1, ref v2, ref v3);
            v0 ^= word;
        }

        ulong last = ((ulong)length << 56) | Tail(ref first, offset, length);
        v3 ^= last;
        Round(ref v0, ref v1, ref v2, ref v3);
        v0 ^= last;
        v2 ^= 0xFF;
        Round(ref v0, ref v1, ref v2, ref v3);
        Round(ref v0, ref v1, ref v2, ref v3);
        Round(ref v0, ref v1, ref v2, ref v3);
        return v0 ^ v1 ^ v2 ^ v3;
    }

    // The last zero to seven bytes. Longer keys re-read the eight bytes that end the key and shift out those already processed.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Tail(ref byte first, nint offset, nint length)
    {
        int left = (int)(length - offset);
        if (left == 0)
            return 0;

        if (length >= 8)
            return Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref first, length - 8)) >> (64 - (left * 8));

        ulong tail = 0;
        for (int i = 0; i < left; i++)
            tail |= (ulong)Unsafe.Add(ref first, offset + i) << (i * 8);

        return tail;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Round(ref ulong v0, ref ulong v1, ref ulong v2, ref ulong v3)
    {
        v0 += v1;
        v1 = BitOperations.RotateLeft(v1, 13) ^ v0;
        v0 = BitOperations.RotateLeft(v0, 32);
        v2 += v3;
        v3 = BitOperations.RotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = BitOperations.RotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = BitOperations.RotateLeft(v1, 17) ^ v2;
        v2 = BitOperations.RotateLeft(v2, 32);
    }
}
