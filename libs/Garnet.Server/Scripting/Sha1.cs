// SHA-1 of short texts. Stateless; any thread.
using System.Buffers.Binary;
using System.Numerics;

namespace Garnet.Server.Scripting;

/// <summary>
/// The hash function of FIPS 180-4 in managed code: it names scripts and protects nothing. The runtime's own loads OpenSSL, which takes
/// more than five megabytes, into a process whose first script is perhaps the only reason for it.
/// </summary>
internal static class Sha1
{
    /// <summary>Length of a hash.</summary>
    public const int Bytes = 20;

    private const int BlockBytes = 64;
    private const int LengthBytes = 8;

    public static void Hash(ReadOnlySpan<byte> text, Span<byte> hash)
    {
        Span<uint> state = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0];
        ReadOnlySpan<byte> rest = text;
        for (; rest.Length >= BlockBytes; rest = rest[BlockBytes..])
            Add(state, rest);
        // The rest, a one bit, zeros, and the number of bits: one block or two.
        Span<byte> end = stackalloc byte[2 * BlockBytes];
        end.Clear();
        rest.CopyTo(end);
        end[rest.Length] = 0x80;
        end = end[..(rest.Length + 1 + LengthBytes <= BlockBytes ? BlockBytes : 2 * BlockBytes)];
        BinaryPrimitives.WriteInt64BigEndian(end[^LengthBytes..], text.Length * 8L);
        for (; !end.IsEmpty; end = end[BlockBytes..])
            Add(state, end);
        for (int i = 0; i < state.Length; i++)
            BinaryPrimitives.WriteUInt32BigEndian(hash[(4 * i)..], state[i]);
    }

    private static void Add(Span<uint> state, ReadOnlySpan<byte> block)
    {
        Span<uint> words = stackalloc uint[80];
        for (int i = 0; i < 16; i++)
            words[i] = BinaryPrimitives.ReadUInt32BigEndian(block[(4 * i)..]);
        for (int i = 16; i < words.Length; i++)
            words[i] = BitOperations.RotateLeft(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
        (uint a, uint b, uint c, uint d, uint e) = (state[0], state[1], state[2], state[3], state[4]);
        for (int i = 0; i < words.Length; i++)
        {
            uint mixed = i switch
            {
                < 20 => ((b & c) | (~b & d)) + 0x5A827999,
                < 40 => (b ^ c ^ d) + 0x6ED9EBA1,
                < 60 => ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC,
                _ => (b ^ c ^ d) + 0xCA62C1D6,
            };
            mixed += BitOperations.RotateLeft(a, 5) + e + words[i];
            (a, b, c, d, e) = (mixed, a, BitOperations.RotateLeft(b, 30), c, d);
        }

        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }
}
