// LZF compression that makes the same choices as Valkey's compressor, so that equal values yield equal bytes. Keeps its table; one thread
// at a time.
using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Garnet.Persistence.Rdb;

/// <summary>
/// Compresses into the LZF format (liblzf by Marc Lehmann): a control byte below 32 is followed by that many literals plus one; any other
/// holds the length of a copy in its upper three bits (7: a byte follows), and the distance of its start in its lower five bits and the
/// next byte.
/// </summary>
internal sealed class LzfCompressor
{
    private const int HashBits = 16;
    private const int MaxLiterals = 32;
    private const int MaxDistance = 1 << 13;
    private const int MaxCopied = 264;
    private const int ComparedAlone = 32;

    // Where three bytes were last seen, as position + base. Each call raises the base above everything stored before, which avoids clearing
    // the table.
    private readonly int[] _table = new int[1 << HashBits];
    private int _base = 1;

    /// <summary>
    /// Compresses all of <paramref name="input"/>; returns the number of bytes written, or 0 if they would not fit into
    /// <paramref name="output"/>.
    /// </summary>
    public int Compress(ReadOnlySpan<byte> input, Span<byte> output)
    {
        if (input.IsEmpty || output.IsEmpty)
            return 0;
        if (_base > int.MaxValue - input.Length)
        {
            Array.Clear(_table);
            _base = 1;
        }

        int length = Compress(input, output, _table, _base);
        _base += input.Length;
        return length;
    }

    private static int Compress(ReadOnlySpan<byte> input, Span<byte> output, int[] table, int origin)
    {
        int read = 0;
        int written = 1; // The first byte is the control byte of the first run.
        int literals = 0;

        // The last two bytes read, preceded by whatever came before them.
        uint next = input.Length > 2 ? BinaryPrimitives.ReadUInt16BigEndian(input) : 0u;
        while (read < input.Length - 2)
        {
            next = (next << 8) | input[read + 2];
            ref int slot = ref table[Hash(next)];
            int candidate = slot - origin;
            slot = read + origin;
            if (candidate <= 0 || read - candidate > MaxDistance || !IsAt(input, candidate, next))
            {
                if (written >= output.Length)
                    return 0;
                output[written++] = input[read++];
                if (++literals == MaxLiterals)
                {
                    written = EndRun(output, written);
                    literals = 0;
                }

                continue;
            }

            if (written + 4 >= output.Length && written - (literals == 0 ? 1 : 0) + 4 >= output.Length)
                return 0;
            int length = CopyLength(input, candidate, read);
            written = WriteCopy(output, written, literals, length, read - candidate - 1);
            literals = 0;
            read += length;
            if (read >= input.Length - 2)
                break;
            // Only the last two copied bytes begin a table entry.
            next = Three(input, read - 2);
            table[Hash(next)] = read - 2 + origin;
            next = (next << 8) | input[read + 1];
            table[Hash(next)] = read - 1 + origin;
        }

        return Finish(input[read..], output, written, literals);
    }

    // The remaining bytes are literals; the limit is checked as if there were three of them.
    private static int Finish(ReadOnlySpan<byte> rest, Span<byte> output, int written, int literals)
    {
        if (written + 3 > output.Length)
            return 0;
        foreach (byte each in rest)
        {
            output[written++] = each;
            if (++literals == MaxLiterals)
            {
                written = EndRun(output, written);
                literals = 0;
            }
        }

        if (literals == 0)
            return written - 1;
        output[written - literals - 1] = (byte)(literals - 1);
        return written;
    }

    // Ends a run of maximum length; the control byte of the next run follows it.
    private static int EndRun(Span<byte> output, int written)
    {
        output[written - MaxLiterals - 1] = MaxLiterals - 1;
        return written + 1;
    }

    private static int WriteCopy(Span<byte> output, int written, int literals, int length, int distance)
    {
        if (literals == 0)
            written--;
        else
            output[written - literals - 1] = (byte)(literals - 1);
        int code = length - 2;
        if (code < 7)
        {
            output[written++] = (byte)((distance >> 8) + (code << 5));
        }
        else
        {
            output[written++] = (byte)((distance >> 8) + (7 << 5));
            output[written++] = (byte)(code - 7);
        }

        output[written++] = (byte)distance;
        return written + 1;
    }

    // The number of equal bytes, at least 3. Two bytes are left out at the end of the input; with space for more than 16 the reference
    // compares the first 19 without that limit.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int CopyLength(ReadOnlySpan<byte> input, int candidate, int read)
    {
        if (read > input.Length - ComparedAlone - 2)
            return CopyLengthAtEnd(input, candidate, read);

        // One by one, as most copies are short and often of the same length: the code after it then need not wait for the bytes.
        ReadOnlySpan<byte> copied = input.Slice(candidate, ComparedAlone);
        ReadOnlySpan<byte> there = input.Slice(read, ComparedAlone);
        for (int length = 3; length < ComparedAlone; length++)
        {
            if (copied[length] != there[length])
                return length;
        }

        int most = Math.Min(input.Length - read - 2, MaxCopied) - ComparedAlone;
        return ComparedAlone + input.Slice(candidate + ComparedAlone, most).CommonPrefixLength(input.Slice(read + ComparedAlone, most));
    }

    private static int CopyLengthAtEnd(ReadOnlySpan<byte> input, int candidate, int read)
    {
        const int unlimited = 19;
        int most = input.Length - read - 2;
        int equal = input.Slice(candidate, most + 2).CommonPrefixLength(input[read..]);
        if (most <= 16)
            return Math.Max(3, Math.Min(equal, most));
        return equal < unlimited ? equal : Math.Max(unlimited, Math.Min(equal, most));
    }

    private static uint Three(ReadOnlySpan<byte> input, int at) =>
        ((uint)input[at] << 16) | BinaryPrimitives.ReadUInt16BigEndian(input[(at + 1)..]);

    private static bool IsAt(ReadOnlySpan<byte> input, int at, uint three) =>
        input[at + 2] == (byte)three && BinaryPrimitives.ReadUInt16BigEndian(input[at..]) == (ushort)(three >> 8);

    // Hash of the lower three bytes.
    private static int Hash(uint three) => (ushort)(((three & 0xFFFFFF) >> (24 - HashBits)) - (three * 5));
}
