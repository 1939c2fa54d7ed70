// Reads the stream of effects from the log's files, while the log is being written. One thread.
using System.Buffers.Binary;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// Every byte has the position that it had in the stream. What was for replicas alone is not in the log; as many empty lines stand for it,
/// which replicas skip and count.
/// </summary>
internal sealed class LoggedStreamReader
{
    private const int FillerBytes = 16 * 1024;
    private const int LengthBytes = 4;

    private static readonly byte[] Filler = NewFiller();

    private readonly ILogFolder _folder;
    private readonly AppendOnlyLogOptions _options;
    private readonly AppendOnlyLog _log;
    private readonly LoggedRange _range;
    private readonly byte[] _page = GC.AllocateUninitializedArray<byte>(SegmentScan.PageBytes);
    private int _pageBytes;
    private long _pageHolds; // position in the log up to which the page was written when it was read
    private LogFileName _file = new(-1, 0);
    private int _pageOfFile;
    private int _at;
    private FrameHeader _frame;
    private int _frameBytes; // 0 when the frame at the present place has not been read
    private long _logPosition;

    /// <summary>A reader that begins at a position of the stream which the range knows.</summary>
    public LoggedStreamReader(ILogFolder folder, AppendOnlyLogOptions options, AppendOnlyLog log, LoggedRange range, long position)
    {
        _folder = folder;
        _options = options;
        _log = log;
        _range = range;
        Position = position;
        _logPosition = range.Find(position);
    }

    /// <summary>Position of the next byte in the stream.</summary>
    public long Position { get; private set; }

    /// <summary>The next bytes; none when the files have no more yet. Valid until the next call.</summary>
    /// <exception cref="IOException">The log was rewritten or closed, or its files cannot be read.</exception>
    public ReadOnlyMemory<byte> Read(long most)
    {
        // Before the gaps: every gap up to here is known, while a later one could be passed unnoticed.
        long written = _log.Written;
        if (!_range.TryFindGap(Position, out (long Start, long End) gap))
            throw new IOException("the append-only log was rewritten or closed meanwhile");
        ReadOnlyMemory<byte> bytes;
        if (gap.Start <= Position)
        {
            bytes = Filler.AsMemory(0, (int)Math.Min(Math.Min(most, gap.End - Position), Filler.Length));
        }
        else
        {
            bytes = ReadLog(Math.Min(most, gap.Start - Position), written);
            _logPosition += bytes.Length;
        }

        Position += bytes.Length;
        return bytes;
    }

    /// <summary>
    /// Waits, after <see cref="Read"/> returned nothing, until the log has written more, has ended, or the wait is cancelled. Only for a
    /// caller that knows of an effect at this position which the log has taken from the stream: bytes for replicas alone do not end it.
    /// </summary>
    public void WaitForMore(CancellationToken cancellation) => _log.WrittenAsync(_logPosition + 1, cancellation).GetAwaiter().GetResult();

    private static byte[] NewFiller()
    {
        byte[] lines = new byte[FillerBytes];
        lines.AsSpan().Fill((byte)'\n');
        return lines;
    }

    private ReadOnlyMemory<byte> ReadLog(long most, long written)
    {
        while (true)
        {
            if (_logPosition >= written)
                return default;
            int generation = _range.GenerationOf(_logPosition);
            if (generation != _file.Generation)
                Seek(generation, written);
            else if (_pageHolds <= _logPosition)
                LoadPage(written);
            if (!TryReadFrame())
            {
                MoveToNextPage(written);
                continue;
            }

            int offset = (int)(_logPosition - _frame.Offset);
            if (offset < _frame.PayloadLength)
                return _page.AsMemory(_at + LengthBytes + FrameHeader.Bytes + offset, (int)Math.Min(most, _frame.PayloadLength - offset));
            _at += LengthBytes + _frameBytes;
            _frameBytes = 0;
        }
    }

    // False when the page has no more frames.
    private bool TryReadFrame()
    {
        if (_frameBytes > 0)
            return true;
        int length = _at + LengthBytes <= _pageBytes ? BinaryPrimitives.ReadInt32LittleEndian(_page.AsSpan(_at)) : 0;
        if (length == 0)
            return false;
        if (
            !FrameHeader.TryRead(_page.AsSpan(0, _pageBytes)[(_at + LengthBytes)..], out FrameHeader frame)
            || FrameHeader.FrameBytes(frame.PayloadLength) != length
            || !IsOfThisFile(frame)
            || frame.Offset > _logPosition
        )
        {
            throw new IOException($"the append-only log is damaged at byte {PageStart + _at} of {Name}");
        }

        _frame = frame;
        _frameBytes = length;
        return true;
    }

    private void Seek(int generation, long written)
    {
        List<int> segments = [];
        foreach (string name in _folder.List())
        {
            if (LogFileName.TryParse(_options.Prefix, name, out LogFileName file) && file.Generation == generation && !file.IsBase)
                segments.Add(file.Segment);
        }

        segments.Sort();
        int pages = (int)(_options.SegmentBytes / SegmentScan.PageBytes);
        for (int i = segments.Count - 1; i >= 0; i--)
        {
            _file = new LogFileName(generation, segments[i]);
            for (_pageOfFile = pages - 1; _pageOfFile >= 0; _pageOfFile--)
            {
                if (!BeginsBefore())
                    continue;
                EnterPage(written);
                return;
            }
        }

        throw new IOException($"the append-only log has no file with position {_logPosition} of generation {generation}");
    }

    // Whether the page's first frame begins at or before the position; later the frame is verified, which the header alone is not.
    private bool BeginsBefore()
    {
        Span<byte> start = stackalloc byte[LengthBytes + FrameHeader.Bytes];
        return TryReadStart(start)
            && FrameHeader.TryPeek(start[LengthBytes..], out FrameHeader frame)
            && IsOfThisFile(frame)
            && frame.Offset <= _logPosition;
    }

    private bool TryReadStart(Span<byte> start)
    {
        try
        {
            return _folder.Read(Name, PageStart + FirstEntry, start) == start.Length;
        }
        catch (FileNotFoundException)
        {
            // A file that was reserved and not needed is deleted at the end of its generation; one that is needed is missed by the caller.
            return false;
        }
    }

    private void MoveToNextPage(long written)
    {
        _pageOfFile++;
        if (PageStart == _options.SegmentBytes)
        {
            _file = _file with { Segment = _file.Segment + 1 };
            _pageOfFile = 0;
        }

        EnterPage(written);
    }

    private void EnterPage(long written)
    {
        _at = FirstEntry;
        _frameBytes = 0;
        LoadPage(written);
        if (_pageBytes <= _at)
            throw new IOException($"{Name} ends before position {_logPosition}");
    }

    private void LoadPage(long written)
    {
        _pageBytes = 0;
        int read;
        while ((read = _folder.Read(Name, PageStart + _pageBytes, _page.AsSpan(_pageBytes))) > 0)
            _pageBytes += read;
        _pageHolds = written;
    }

    private string Name => _file.Text(_options.Prefix);

    private long PageStart => (long)_pageOfFile * SegmentScan.PageBytes;

    private int FirstEntry => _file.Segment == 0 && _pageOfFile == 0 ? SegmentScan.FirstEntry : 0;

    private bool IsOfThisFile(FrameHeader frame) => frame.LogId == _log.LogId && frame.Generation == _file.Generation;
}
