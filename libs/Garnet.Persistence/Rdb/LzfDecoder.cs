// LZF decompression of untrusted input. Stateless; any thread.
namespace Garnet.Persistence.Rdb;

/// <summary>Decodes the format of <see cref="LzfCompressor"/>; never reads or writes outside of its buffers.</summary>
internal static class LzfDecoder
{
    private const int MaxLiteralControl = 31;

    // The maximum output of a copy's three bytes.
    private const int MaxCopied = 264;
    private const int CopyBytes = 3;

    /// <summary>Whether this many compressed bytes can expand to that many; checked before memory is allocated for them.</summary>
    public static bool IsPlausible(long compressed, long original) => original <= (compressed + CopyBytes) / CopyBytes * MaxCopied;

    /// <summary>Fills <paramref name="output"/> exactly; false when the input is not a compressed form of that many bytes.</summary>
    public static bool TryDecode(ReadOnlySpan<byte> input, Span<byte> output)
    {
        // As in Valkey: invalid input yields nothing, which is correct when nothing was expected.
        if (output.IsEmpty)
            return true;
        int read = 0;
        int written = 0;
        while (read < input.Length)
        {
            int control = input[read++];
            if (control <= MaxLiteralControl)
            {
                int literals = control + 1;
                if (literals > input.Length - read || literals > output.Length - written)
                    return false;
                input.Slice(read, literals).CopyTo(output[written..]);
                read += literals;
                written += literals;
                continue;
            }

            int length = control >> 5;
            if (length == 7)
            {
                if (read >= input.Length)
                    return false;
                length += input[read++];
            }

            length += 2;
            if (read >= input.Length)
                return false;
            int distance = (((control & 31) << 8) | input[read++]) + 1;
            if (distance > written || length > output.Length - written)
                return false;
            Copy(output, written, distance, length);
            written += length;
        }

        return written == output.Length;
    }

    // A copy may overlap its own output: it then repeats the bytes in between.
    private static void Copy(Span<byte> output, int written, int distance, int length)
    {
        while (length > 0)
        {
            int piece = Math.Min(distance, length);
            output.Slice(written - distance, piece).CopyTo(output[written..]);
            written += piece;
            length -= piece;
            distance += piece;
        }
    }
}
