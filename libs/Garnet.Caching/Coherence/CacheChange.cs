// What one instance tells the others. Immutable; any thread.
using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using System.Text.Unicode;

namespace Garnet.Caching.Coherence;

/// <summary>The tags and keys that were removed, and who waits for acknowledgements.</summary>
/// <remarks>
/// On the channel it follows its sequence number, which the server writes as decimal digits and a space: the remover's instance (16
/// bytes), the change (8), the number of tags (4), then tags and keys, each with its length (4).
/// </remarks>
internal sealed record CacheChange(Guid Remover, long Id, string[] Tags, string[] Keys)
{
    private const int HeaderBytes = 16 + 8 + 4;

    /// <summary>The bytes behind the sequence number.</summary>
    public byte[] Encode()
    {
        ArrayBufferWriter<byte> writer = new(256);
        Span<byte> header = writer.GetSpan(HeaderBytes);
        Remover.TryWriteBytes(header);
        BinaryPrimitives.WriteInt64LittleEndian(header[16..], Id);
        BinaryPrimitives.WriteInt32LittleEndian(header[24..], Tags.Length);
        writer.Advance(HeaderBytes);
        foreach (string text in Tags)
            Write(writer, text);
        foreach (string text in Keys)
            Write(writer, text);
        return writer.WrittenSpan.ToArray();
    }

    /// <summary>Reads what <see cref="Encode"/> wrote, behind its sequence number; false for anything else.</summary>
    public static bool TryRead(ReadOnlySpan<byte> payload, out long sequence, out CacheChange change)
    {
        change = null!;
        if (!System.Buffers.Text.Utf8Parser.TryParse(payload, out sequence, out int digits) || payload.Length < digits + 1 + HeaderBytes)
            return false;
        ReadOnlySpan<byte> body = payload[(digits + 1)..];
        int tags = BinaryPrimitives.ReadInt32LittleEndian(body[24..]);
        List<string> texts = [];
        for (ReadOnlySpan<byte> rest = body[HeaderBytes..]; !rest.IsEmpty; )
        {
            if (!TryTake(ref rest, out string text))
                return false;
            texts.Add(text);
        }

        if (tags < 0 || tags > texts.Count)
            return false;
        change = new CacheChange(
            new Guid(body[..16]),
            BinaryPrimitives.ReadInt64LittleEndian(body[16..]),
            [.. texts[..tags]],
            [.. texts[tags..]]
        );
        return true;
    }

    private static void Write(ArrayBufferWriter<byte> writer, string text)
    {
        int length = Encoding.UTF8.GetByteCount(text);
        Span<byte> span = writer.GetSpan(4 + length);
        BinaryPrimitives.WriteInt32LittleEndian(span, length);
        Encoding.UTF8.GetBytes(text, span[4..]);
        writer.Advance(4 + length);
    }

    private static bool TryTake(ref ReadOnlySpan<byte> rest, out string text)
    {
        text = "";
        if (rest.Length < 4)
            return false;
        int length = BinaryPrimitives.ReadInt32LittleEndian(rest);
        if (length < 0 || length > rest.Length - 4 || !Utf8.IsValid(rest.Slice(4, length)))
            return false;
        text = Encoding.UTF8.GetString(rest.Slice(4, length));
        rest = rest[(4 + length)..];
        return true;
    }
}
