// The fixed part of a log frame. Frozen: the layout is on disk. Stateless; any thread.
using System.Buffers.Binary;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// A frame carries a piece of the stream of effects (RESP). Little-endian: magic (8), CRC-32C of everything after it (4), payload length
/// (4), position of the payload in the stream (8), stream position known to be durable when the frame was written (8), identity of the log
/// (8), flags (4), generation (4); then the payload, and zeros up to a multiple of four.
/// </summary>
internal readonly record struct FrameHeader(
    int PayloadLength,
    long Offset,
    long DurableOffset,
    ulong LogId,
    FrameFlags Flags,
    int Generation
)
{
    /// <summary>Bytes of the header.</summary>
    public const int Bytes = 48;

    /// <summary>The magic is searched for at multiples of this.</summary>
    public const int Alignment = 4;

    private const int ChecksumAt = 8;
    private const int CheckedFrom = 12;

    /// <summary>The first bytes of every frame: the name and the version of the format.</summary>
    public static ReadOnlySpan<byte> Magic => "GARNLOG1"u8;

    /// <summary>Position in the stream after the payload.</summary>
    public long EndOffset => Offset + PayloadLength;

    /// <summary>Size of a frame with this payload.</summary>
    public static int FrameBytes(int payloadLength) => (Bytes + payloadLength + Alignment - 1) & ~(Alignment - 1);

    /// <summary>Writes the whole frame.</summary>
    public void Write(Span<byte> frame, ReadOnlySpan<byte> payload)
    {
        Magic.CopyTo(frame);
        BinaryPrimitives.WriteInt32LittleEndian(frame[12..], PayloadLength);
        BinaryPrimitives.WriteInt64LittleEndian(frame[16..], Offset);
        BinaryPrimitives.WriteInt64LittleEndian(frame[24..], DurableOffset);
        BinaryPrimitives.WriteUInt64LittleEndian(frame[32..], LogId);
        BinaryPrimitives.WriteUInt32LittleEndian(frame[40..], (uint)Flags);
        BinaryPrimitives.WriteInt32LittleEndian(frame[44..], Generation);
        payload.CopyTo(frame[Bytes..]);
        int length = FrameBytes(PayloadLength);
        frame[(Bytes + payload.Length)..length].Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(frame[ChecksumAt..], Crc32C.Compute(frame[CheckedFrom..length]));
    }

    /// <summary>Reads a frame that must begin here; false when there is none, or it is incomplete or invalid.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out FrameHeader header)
    {
        header = default;
        if (bytes.Length < Bytes || !bytes.StartsWith(Magic))
            return false;
        int payload = BinaryPrimitives.ReadInt32LittleEndian(bytes[12..]);
        if (payload < 0 || payload > bytes.Length - Bytes || FrameBytes(payload) > bytes.Length)
            return false;
        if (Crc32C.Compute(bytes[CheckedFrom..FrameBytes(payload)]) != BinaryPrimitives.ReadUInt32LittleEndian(bytes[ChecksumAt..]))
            return false;
        header = Decode(bytes);
        return true;
    }

    /// <summary>Reads a header alone, unverified; false when there is none.</summary>
    public static bool TryPeek(ReadOnlySpan<byte> bytes, out FrameHeader header)
    {
        bool isThere = bytes.Length >= Bytes && bytes.StartsWith(Magic);
        header = isThere ? Decode(bytes) : default;
        return isThere;
    }

    private static FrameHeader Decode(ReadOnlySpan<byte> bytes) =>
        new(
            BinaryPrimitives.ReadInt32LittleEndian(bytes[12..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[16..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[24..]),
            BinaryPrimitives.ReadUInt64LittleEndian(bytes[32..]),
            (FrameFlags)BinaryPrimitives.ReadUInt32LittleEndian(bytes[40..]),
            BinaryPrimitives.ReadInt32LittleEndian(bytes[44..])
        );
}
