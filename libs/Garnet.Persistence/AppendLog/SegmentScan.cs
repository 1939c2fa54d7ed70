// Walks the frames of one segment in memory. Used by one thread.
using System.Buffers.Binary;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// FasterLog's layout: entries follow each other, each preceded by a 4-byte length, none across the end of a page; the rest of a page is
/// zero, and so are the first 64 bytes of the log.
/// </summary>
internal ref struct SegmentScan(ReadOnlySpan<byte> bytes, bool isFirst)
{
    /// <summary>Size of a page.</summary>
    public const int PageBytes = 2 << 20;

    /// <summary>Where the first entry of a log begins.</summary>
    public const int FirstEntry = 64;

    private const int LengthBytes = 4;

    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private bool _hasChecked;

    public int Position { get; private set; } = isFirst ? FirstEntry : 0;

    /// <summary>Where the entry read last begins.</summary>
    public int EntryStart { get; private set; }

    /// <summary>Where the payload of the frame read last begins.</summary>
    public int PayloadStart { get; private set; }

    /// <summary>Reads the next frame. False at the first position without a valid one.</summary>
    public bool TryNext(out FrameHeader frame)
    {
        frame = default;
        if (!_hasChecked && isFirst && !IsZero(0, Math.Min(FirstEntry, _bytes.Length)))
            return false;
        _hasChecked = true;
        int at = Position;
        if (at + LengthBytes <= _bytes.Length && Length(at) == 0)
            at = SkipRestOfPage(at);
        if (at < 0 || at + LengthBytes > _bytes.Length)
            return false;
        int length = Length(at);
        if (
            length < FrameHeader.Bytes
            || !FrameHeader.TryRead(_bytes[(at + LengthBytes)..], out frame)
            || FrameHeader.FrameBytes(frame.PayloadLength) != length
        )
        {
            return false;
        }

        EntryStart = at;
        PayloadStart = at + LengthBytes + FrameHeader.Bytes;
        Position = at + LengthBytes + length;
        return true;
    }

    /// <summary>Bytes from here to the last non-zero byte.</summary>
    public readonly int BytesBehind
    {
        get
        {
            int last = Position >= _bytes.Length ? -1 : _bytes[Position..].LastIndexOfAnyExcept((byte)0);
            return last + 1;
        }
    }

    /// <summary>
    /// Searches after the present position for a valid frame that says that the disk had more of the stream than the given offset.
    /// </summary>
    public readonly bool HasLaterFrame(ulong logId, int generation, long offset)
    {
        int at = Position;
        while (TryFind(ref at, out FrameHeader frame))
        {
            if (frame.LogId == logId && frame.Generation == generation && frame.DurableOffset > offset)
                return true;
        }

        return false;
    }

    /// <summary>Whether there is a valid frame anywhere after the present position.</summary>
    public readonly bool HasFrame()
    {
        int at = Position;
        return TryFind(ref at, out _);
    }

    private readonly bool TryFind(ref int at, out FrameHeader frame)
    {
        while (at < _bytes.Length)
        {
            int found = _bytes[at..].IndexOf(FrameHeader.Magic);
            if (found < 0)
                break;
            at += found + 1;
            if (FrameHeader.TryRead(_bytes[(at - 1)..], out frame))
                return true;
        }

        frame = default;
        return false;
    }

    // The next page's start when the rest of this one is empty; -1 otherwise.
    private readonly int SkipRestOfPage(int at)
    {
        int end = Math.Min(_bytes.Length, (at / PageBytes * PageBytes) + PageBytes);
        return IsZero(at, end) ? end : -1;
    }

    private readonly bool IsZero(int from, int to) => !_bytes[from..to].ContainsAnyExcept((byte)0);

    private readonly int Length(int at) => BinaryPrimitives.ReadInt32LittleEndian(_bytes[at..]);
}
