// The form of an entry in the server. Immutable; any thread.
using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using System.Text.Unicode;

namespace Garnet.Caching.Hybrid;

/// <summary>An entry with the tokens that its tags had before it was loaded.</summary>
/// <remarks>
/// Mark and version (4 bytes), a random number that tells entries apart (8), flags (1), milliseconds of staleness (8) and of sliding (8),
/// number of tags (2), for each its length (2), UTF-8 and token (16); then the payload of the serializer.
/// </remarks>
internal sealed record StoredEntry(
    ReadOnlyMemory<byte> Nonce,
    bool IsNull,
    bool HasLimit,
    long StaleMs,
    long SlidingMs,
    string[] Tags,
    Guid[] Tokens,
    ReadOnlyMemory<byte> Payload
)
{
    /// <summary>Where the random number is, for scripts that compare it.</summary>
    public const int NonceAt = 4;

    /// <summary>Bytes of the random number.</summary>
    public const int NonceBytes = 8;

    private const int TokenBytes = 16;
    private const int HeaderBytes = NonceAt + NonceBytes + 1 + 8 + 8 + 2;
    private const long MaxMs = long.MaxValue / 8;
    private const byte NullFlag = 1;
    private const byte LimitFlag = 2;

    private static ReadOnlySpan<byte> Mark => "GHC\u0001"u8;

    /// <summary>What stands where an entry has its random number, whatever was stored.</summary>
    public static ReadOnlyMemory<byte> NonceOf(ReadOnlyMemory<byte>? stored) =>
        stored is not { } bytes || bytes.Length <= NonceAt ? default : bytes.Slice(NonceAt, Math.Min(NonceBytes, bytes.Length - NonceAt));

    /// <summary>The bytes to store, with a new random number.</summary>
    public static byte[] Encode(bool isNull, in EntrySettings settings, string[] tags, Guid[] tokens, ReadOnlySpan<byte> payload)
    {
        ArrayBufferWriter<byte> writer = new(HeaderBytes + (tags.Length * 48) + payload.Length);
        Span<byte> header = writer.GetSpan(HeaderBytes);
        Mark.CopyTo(header);
        Random.Shared.NextBytes(header.Slice(NonceAt, NonceBytes));
        header[12] = (byte)((isNull ? NullFlag : 0) | (settings.LimitMs > 0 ? LimitFlag : 0));
        BinaryPrimitives.WriteInt64LittleEndian(header[13..], settings.StaleMs);
        BinaryPrimitives.WriteInt64LittleEndian(header[21..], settings.SlidingMs);
        BinaryPrimitives.WriteUInt16LittleEndian(header[29..], checked((ushort)tags.Length));
        writer.Advance(HeaderBytes);
        for (int i = 0; i < tags.Length; i++)
        {
            int length = Encoding.UTF8.GetByteCount(tags[i]);
            Span<byte> tag = writer.GetSpan(2 + length + TokenBytes);
            BinaryPrimitives.WriteUInt16LittleEndian(tag, checked((ushort)length));
            Encoding.UTF8.GetBytes(tags[i], tag[2..]);
            tokens[i].TryWriteBytes(tag[(2 + length)..]);
            writer.Advance(2 + length + TokenBytes);
        }

        writer.Write(payload);
        return writer.WrittenSpan.ToArray();
    }

    /// <summary>Reads what was stored; null if it is of another version or not an entry at all.</summary>
    public static StoredEntry? Read(ReadOnlyMemory<byte> stored)
    {
        ReadOnlySpan<byte> span = stored.Span;
        if (span.Length < HeaderBytes || !span.StartsWith(Mark))
            return null;
        int count = BinaryPrimitives.ReadUInt16LittleEndian(span[29..]);
        long staleMs = BinaryPrimitives.ReadInt64LittleEndian(span[13..]);
        long slidingMs = BinaryPrimitives.ReadInt64LittleEndian(span[21..]);
        if (count > (span.Length - HeaderBytes) / (2 + TokenBytes) || !IsTime(staleMs) || !IsTime(slidingMs))
            return null;
        string[] tags = new string[count];
        var tokens = new Guid[count];
        int at = HeaderBytes;
        for (int i = 0; i < count; i++)
        {
            if (!TryReadTag(span, ref at, out tags[i], out tokens[i]))
                return null;
        }

        return new StoredEntry(
            stored.Slice(NonceAt, NonceBytes),
            (span[12] & NullFlag) != 0,
            (span[12] & LimitFlag) != 0,
            staleMs,
            slidingMs,
            tags,
            tokens,
            stored[at..]
        );
    }

    // Calculations with a time that no cache has written would overflow.
    private static bool IsTime(long ms) => ms is >= 0 and <= MaxMs;

    private static bool TryReadTag(ReadOnlySpan<byte> span, ref int at, out string tag, out Guid token)
    {
        (tag, token) = ("", default);
        if (span.Length - at < 2)
            return false;
        int length = BinaryPrimitives.ReadUInt16LittleEndian(span[at..]);
        if (span.Length - at - 2 < length + TokenBytes || !Utf8.IsValid(span.Slice(at + 2, length)))
            return false;
        // The tags of a cache are few, and their names are kept anyway.
        ReadOnlySpan<byte> name = span.Slice(at + 2, length);
        tag = name.SequenceEqual("*"u8) ? KeyRules.All : Encoding.UTF8.GetString(name);
        token = new Guid(span.Slice(at + 2 + length, TokenBytes));
        at += 2 + length + TokenBytes;
        return true;
    }
}
