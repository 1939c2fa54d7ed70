// SHA-1 of short inputs: scripts, and the values of DEBUG DIGEST. Stateless; any thread.
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Garnet.Server.Scripting;

/// <summary>
/// FIPS 180-4. The system's library is several times slower for one-block inputs, because each call creates its own state, and a digest
/// takes millions of such calls under the barrier. And it is OpenSSL, which takes more than five megabytes: too much for a process that
/// needs it for its first script alone. Not used for security.
/// </summary>
internal static class Sha1
{
    /// <summary>Length of a hash in bytes.</summary>
    public const int HashBytes = 20;

    private const int BlockBytes = 64;
    private const int LengthBytes = 8;
    private const int Words = 16;

    /// <summary>Writes the hash of a message.</summary>
    public static void Hash(ReadOnlySpan<byte> bytes, Span<byte> hash)
    {
        var state = new State
        {
            A = 0x67452301,
            B = 0xEFCDAB89,
            C = 0x98BADCFE,
            D = 0x10325476,
            E = 0xC3D2E1F0,
        };
        ulong bits = (ulong)bytes.Length * 8;
        for (; bytes.Length >= BlockBytes; bytes = bytes[BlockBytes..])
            AddBlock(ref state, bytes);

        // Padding: the remaining bytes, a one bit, zeros, and the length, in one or two blocks.
        Span<byte> end = stackalloc byte[2 * BlockBytes];
        end = end[..(bytes.Length + 1 + LengthBytes <= BlockBytes ? BlockBytes : 2 * BlockBytes)];
        end.Clear();
        bytes.CopyTo(end);
        end[bytes.Length] = 0x80;
        BinaryPrimitives.WriteUInt64BigEndian(end[^LengthBytes..], bits);
        for (; !end.IsEmpty; end = end[BlockBytes..])
            AddBlock(ref state, end);

        BinaryPrimitives.WriteUInt32BigEndian(hash, state.A);
        BinaryPrimitives.WriteUInt32BigEndian(hash[4..], state.B);
        BinaryPrimitives.WriteUInt32BigEndian(hash[8..], state.C);
        BinaryPrimitives.WriteUInt32BigEndian(hash[12..], state.D);
        BinaryPrimitives.WriteUInt32BigEndian(hash[16..], state.E);
    }

    private static void AddBlock(ref State state, ReadOnlySpan<byte> block)
    {
        Span<uint> words = stackalloc uint[80];
        for (int i = 0; i < Words; i++)
            words[i] = BinaryPrimitives.ReadUInt32BigEndian(block[(4 * i)..]);
        for (int i = Words; i < words.Length; i++)
            words[i] = BitOperations.RotateLeft(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
        State s = state;
        for (int i = 0; i < 20; i += 5)
        {
            Step(ref s.E, s.A, ref s.B, s.D ^ (s.B & (s.C ^ s.D)), words[i] + 0x5A827999);
            Step(ref s.D, s.E, ref s.A, s.C ^ (s.A & (s.B ^ s.C)), words[i + 1] + 0x5A827999);
            Step(ref s.C, s.D, ref s.E, s.B ^ (s.E & (s.A ^ s.B)), words[i + 2] + 0x5A827999);
            Step(ref s.B, s.C, ref s.D, s.A ^ (s.D & (s.E ^ s.A)), words[i + 3] + 0x5A827999);
            Step(ref s.A, s.B, ref s.C, s.E ^ (s.C & (s.D ^ s.E)), words[i + 4] + 0x5A827999);
        }

        AddParities(ref s, words.Slice(20, 20), 0x6ED9EBA1);
        for (int i = 40; i < 60; i += 5)
        {
            Step(ref s.E, s.A, ref s.B, (s.B & s.C) | (s.D & (s.B | s.C)), words[i] + 0x8F1BBCDC);
            Step(ref s.D, s.E, ref s.A, (s.A & s.B) | (s.C & (s.A | s.B)), words[i + 1] + 0x8F1BBCDC);
            Step(ref s.C, s.D, ref s.E, (s.E & s.A) | (s.B & (s.E | s.A)), words[i + 2] + 0x8F1BBCDC);
            Step(ref s.B, s.C, ref s.D, (s.D & s.E) | (s.A & (s.D | s.E)), words[i + 3] + 0x8F1BBCDC);
            Step(ref s.A, s.B, ref s.C, (s.C & s.D) | (s.E & (s.C | s.D)), words[i + 4] + 0x8F1BBCDC);
        }

        AddParities(ref s, words.Slice(60, 20), 0xCA62C1D6);
        state.A += s.A;
        state.B += s.B;
        state.C += s.C;
        state.D += s.D;
        state.E += s.E;
    }

    private static void AddParities(ref State state, ReadOnlySpan<uint> words, uint constant)
    {
        State s = state;
        for (int i = 0; i + 4 < words.Length; i += 5)
        {
            Step(ref s.E, s.A, ref s.B, s.B ^ s.C ^ s.D, words[i] + constant);
            Step(ref s.D, s.E, ref s.A, s.A ^ s.B ^ s.C, words[i + 1] + constant);
            Step(ref s.C, s.D, ref s.E, s.E ^ s.A ^ s.B, words[i + 2] + constant);
            Step(ref s.B, s.C, ref s.D, s.D ^ s.E ^ s.A, words[i + 3] + constant);
            Step(ref s.A, s.B, ref s.C, s.C ^ s.D ^ s.E, words[i + 4] + constant);
        }

        state = s;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Step(ref uint target, uint turned, ref uint moved, uint mixed, uint word)
    {
        target += BitOperations.RotateLeft(turned, 5) + mixed + word;
        moved = BitOperations.RotateLeft(moved, 30);
    }

    private struct State
    {
        public uint A;
        public uint B;
        public uint C;
        public uint D;
        public uint E;
    }
}
