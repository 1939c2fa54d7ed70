// Walks the frames of one segment in memory. Used by one thread.
using System.Buffers.Binary;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// FasterLog's layout: entries follow each other, a 4-byte length before each, none across the end of a page; what is left of a page is
/// zero, and so are the first 64 bytes of all.
/// </summary>
internal ref struct SegmentScan(ReadOnlySpan<byte> bytes, bool isFirst)
{
    /// <summary>Bytes of a page.</summary>
    public const int PageBytes = 2 << 20;

    /// <summary>Where the first entry of a log begins.</summary>
    public const int FirstEntry = 64;

    private const int LengthBytes = 4;

    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private bool _hasChecked;

    /// <summary>Where the next entry is expected.</summary>
    public int Position { get; private set; } = isFirst ? FirstEntry : 0;

    /// <summary>Where the entry read last begins.</summary>
    public int EntryStart { get; private set; }

    /// <summary>Where the payload of the frame read last begins.</summary>
    public int PayloadStart { get; private set; }

    /// <summary>Reads the next frame. False at the first place where none is, or one that is not sound.</summary>
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

    /// <summary>Bytes from here to the last one that is not zero.</summary>
    public readonly int BytesBehind
    {
        get
        {
            int last = Position >= _bytes.Length ? -1 : _bytes[Position..].LastIndexOfAnyExcept((byte)0);
            return last + 1;
        }
    }

    /// <summary>
    /// Looks after the present place for a sound frame that says that the disk had more of the stream than the offset given.
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

    /// <summary>Whether there is a sound frame anywhere after the present place.</summary>
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

    // The next page's start when nothing else stands on this one; -1 when something does.
    private readonly int SkipRestOfPage(int at)
    {
        int end = Math.Min(_bytes.Length, (at / PageBytes * PageBytes) + PageBytes);
        return IsZero(at, end) ? end : -1;
    }

    private readonly bool IsZero(int from, int to) => !_bytes[from..to].ContainsAnyExcept((byte)0);

    private readonly int Length(int at) => BinaryPrimitives.ReadInt32LittleEndian(_bytes[at..]);
}
