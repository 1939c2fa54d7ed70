// Finds a log's files, chooses where to begin, and reads the effects to the end. Used by one thread, before the log is opened for writing.
namespace Garnet.Persistence.AppendLog;

/// <summary>
/// What begins with the newest snapshot and goes on to the last whole effect. A place that cannot be read is the end when nothing shows that the disk ever had more:
/// a write was under way when the server ended. Frames carry how far the disk had the log, so a damage before that is told from it, and refused.
/// </summary>
public sealed class AppendLogRecovery
{
    private const string Repair = "Restore the file from a copy; or, to go on with what stands before it, delete this file and those of higher numbers";

    private readonly ILogFolder _folder;
    private readonly string _prefix;
    private readonly SortedDictionary<int, GenerationFiles> _generations = [];
    private readonly List<GenerationFiles> _chain = [];
    private readonly List<string> _asides = [];
    private readonly MemoryStream _group = new();
    private byte[] _buffer = [];
    private SegmentReadAhead? _ahead;
    private ulong _logId;
    private long _expected;
    private long _frames;
    private long _bytes;
    private string _groupFile = "";
    private long _groupPosition;
    private long _groupOffset;
    private int _groupSegment;

    /// <summary>Looks through the folder.</summary>
    /// <exception cref="AppendLogException">Files are missing, so that the log cannot be read.</exception>
    public AppendLogRecovery(ILogFolder folder, string prefix)
    {
        _folder = folder;
        _prefix = prefix;
        List();
        Choose();
    }

    /// <summary>True when there is a log.</summary>
    public bool Exists => _chain.Count > 0;

    /// <summary>Path of the snapshot to load before the effects; null when the log begins with no data.</summary>
    public string? BasePath => Exists && _chain[0].HasBase ? System.IO.Path.Combine(_folder.Path, LogFileName.BaseOf(_chain[0].Number).Text(_prefix)) : null;

    /// <summary>Number of the generation that reading begins with.</summary>
    public int FirstGeneration => Exists ? _chain[0].Number : 0;

    /// <summary>The number to go on with: generations that are read follow each other without a gap, and those of no use are gone after <see cref="Trim"/>.</summary>
    public int NextGeneration => Exists ? _chain[^1].Number + 1 : _generations.Count == 0 ? 1 : _generations.Keys.Last() + 1;

    /// <summary>Bytes of the files that will be read.</summary>
    public long TotalBytes { get; private set; }

    /// <summary>Bytes read so far; may be asked by any thread.</summary>
    public long ReadBytes { get; private set; }

    /// <summary>As <see cref="Read(IEffectReader, bool)"/>, for one who has done with effects when the call returns.</summary>
    public LogEnd Read(EffectReader apply, bool mayTruncate) => Read(new PromptEffectReader(apply), mayTruncate);

    /// <summary>Reads all effects from the snapshot on; returns when they are carried out.</summary>
    /// <param name="reader">Gets them, in order.</param>
    /// <param name="mayTruncate">Whether a log whose end was lost is read up to there (aof-load-truncated).</param>
    /// <exception cref="AppendLogException">The log is damaged, or its end is lost and that is not accepted.</exception>
    public LogEnd Read(IEffectReader reader, bool mayTruncate)
    {
        if (!Exists)
            throw new InvalidOperationException("There is no log.");
        LogTruncation? truncation = null;
        _logId = _chain[0].Opening!.Value.LogId;
        _expected = _chain[0].Opening!.Value.Offset;
        _buffer = [];
        using (_ahead = new SegmentReadAhead(_folder, _chain.SelectMany(NamesOf)))
        {
            for (int i = 0; i < _chain.Count; i++)
                truncation = ReadGeneration(_chain[i], i + 1 < _chain.Count ? _chain[i + 1].Opening!.Value.Offset : null, reader);
        }

        _ahead = null;

        if (truncation is not null && !mayTruncate)
            throw new AppendLogException(truncation.File, truncation.Position, "the end of the log is not whole", "Set aof-load-truncated to yes to go on with what stands before it");
        return new LogEnd(_logId, _expected, _chain.Count, _frames, _bytes, truncation);
    }

    /// <summary>After <see cref="Read(IEffectReader, bool)"/>: cuts off what is not whole, so that the next generation continues exactly there, and deletes files that are of no use.</summary>
    public void Trim()
    {
        GenerationFiles last = _chain[^1];
        _folder.Truncate(_groupFile, _groupPosition);
        foreach (int segment in last.Segments.Where(segment => segment > _groupSegment))
            _folder.Delete(new LogFileName(last.Number, segment).Text(_prefix));
        foreach (GenerationFiles useless in _generations.Values.Where(files => !_chain.Contains(files)))
            Delete(useless);

        // What a rewrite that was killed had written aside; the next has another number, and so another name.
        foreach (string file in _asides)
            _folder.Delete(file);
    }

    /// <summary>Deletes the files of all generations before one.</summary>
    public static void DeleteBefore(ILogFolder folder, string prefix, int generation)
    {
        // Oldest first, so that what is left when this is interrupted still makes sense.
        foreach (string file in folder.List().Order(StringComparer.Ordinal))
        {
            if (LogFileName.TryParse(prefix, file, out LogFileName name) && name.Generation < generation)
                folder.Delete(file);
        }
    }

    /// <summary>The highest number that a file has; 0 when there is none.</summary>
    public static int HighestGeneration(ILogFolder folder, string prefix) =>
        folder.List().Select(file => LogFileName.TryParse(prefix, file, out LogFileName name) ? name.Generation : 0).DefaultIfEmpty().Max();

    /// <summary>The file name of a generation's snapshot.</summary>
    public static string BaseName(string prefix, int generation) => LogFileName.BaseOf(generation).Text(prefix);

    private void List()
    {
        foreach (string file in _folder.List())
        {
            if (LogFileName.IsBaseAside(_prefix, file))
                _asides.Add(file);
            if (!LogFileName.TryParse(_prefix, file, out LogFileName name))
                continue;
            if (!_generations.TryGetValue(name.Generation, out GenerationFiles? files))
                _generations.Add(name.Generation, files = new GenerationFiles(name.Generation));
            if (name.IsBase)
                files.HasBase = true;
            else
                files.Segments.Add(name.Segment);
        }

        foreach (GenerationFiles files in _generations.Values.Where(static files => files.Segments.Contains(0)))
            ReadOpening(files);
    }

    private void ReadOpening(GenerationFiles files)
    {
        int length = _folder.Read(new LogFileName(files.Number, 0).Text(_prefix), ref _buffer);
        SegmentScan scan = new(_buffer.AsSpan(0, length), isFirst: true);
        SegmentScan opening = scan;
        if (opening.TryNext(out FrameHeader frame) && frame.Flags.HasFlag(FrameFlags.Opening) && frame.Generation == files.Number)
            files.Opening = frame;
        else
            files.IsDamaged = scan.HasFrame();
    }

    // The newest snapshot, and everything behind it.
    private void Choose()
    {
        if (_generations.Count == 0)
            return;
        // What has no frame at all was only just being made. Its snapshot may be there already; what came before it is, until its first frame is on the disk.
        GenerationFiles newest = _generations.Values.Last();
        bool isUnborn = newest is { Opening: null, IsDamaged: false } && (!newest.HasBase || _generations.Count > 1);
        GenerationFiles[] born = [.. _generations.Values.Take(_generations.Count - (isUnborn ? 1 : 0))];
        GenerationFiles? first = born.LastOrDefault(static files => files is { HasBase: true, Opening: not null }) ?? born.FirstOrDefault(static files => !files.LacksBase);
        if (first is null)
            return;
        if (first.Opening is null)
            throw Damage(new LogFileName(first.Number, 0), 0, "the file is missing, or its first frame is damaged");
        if (!first.HasBase && first.Opening.Value.Offset != 0)
            throw new AppendLogException(PathOf(LogFileName.BaseOf(first.Number)), 0, "the snapshot that the log continues is missing", "Restore it from a copy");
        foreach (GenerationFiles files in born.Where(files => files.Number >= first.Number))
        {
            if (files.LacksBase)
                break;
            if (files.Number != first.Number + _chain.Count || files.Opening is null || files.Opening.Value.LogId != first.Opening.Value.LogId)
                throw Damage(new LogFileName(first.Number + _chain.Count, 0), 0, "the file is missing, or its first frame is damaged");
            _chain.Add(files);
        }

        TotalBytes = _chain.SelectMany(NamesOf).Sum(_folder.Length);
    }

    private IEnumerable<string> NamesOf(GenerationFiles files) => files.Segments.Select(segment => new LogFileName(files.Number, segment).Text(_prefix));

    private LogTruncation? ReadGeneration(GenerationFiles files, long? nextOffset, IEffectReader reader)
    {
        if (files.Opening!.Value.Offset != _expected)
            throw Damage(new LogFileName(files.Number, 0), SegmentScan.FirstEntry, $"the log goes on at position {files.Opening.Value.Offset} of the stream, where {_expected} was expected");
        NoteEndOfGroup(new LogFileName(files.Number, 0).Text(_prefix), 0, 0);
        int lastSegment = files.Segments.Max;
        for (int segment = 0; segment <= lastSegment; segment++)
        {
            LogFileName name = new(files.Number, segment);
            if (!files.Segments.Contains(segment))
                throw Damage(name, 0, "the file is missing");
            string file = name.Text(_prefix);
            ArraySegment<byte> bytes = _ahead!.Read(file);
            SegmentScan scan = new(bytes, segment == 0);
            long before = ReadBytes;
            bool isClosed = ReadFrames(ref scan, bytes.Array!, name, file, reader);
            // Its bytes are used no longer.
            reader.Settle();
            ReadBytes = before + bytes.Count;
            if (isClosed || (nextOffset == _expected && _group.Length == 0))
                return null;
            if (scan.BytesBehind > 0 || segment == lastSegment || IsCut(bytes.Count))
                return EndAt(files, segment, ref scan, bytes.Count, nextOffset);
        }

        return null;
    }

    // True when the generation was closed here.
    private bool ReadFrames(ref SegmentScan scan, byte[] bytes, LogFileName name, string file, IEffectReader reader)
    {
        string path = PathOf(name);
        long before = ReadBytes;
        while (true)
        {
            SegmentScan ahead = scan;
            if (!ahead.TryNext(out FrameHeader frame) || frame.LogId != _logId || frame.Generation != name.Generation || frame.Offset != _expected)
                return false;
            scan = ahead;
            _frames++;
            _expected = frame.EndOffset;
            ReadBytes = before + scan.Position;
            ArraySegment<byte> payload = new(bytes, scan.PayloadStart, frame.PayloadLength);
            if (frame.Flags.HasFlag(FrameFlags.Begins) && frame.Flags.HasFlag(FrameFlags.Ends))
                Apply(payload, path, scan.EntryStart, reader);
            else
                Gather(payload, frame, path, scan.EntryStart, reader);
            if (_group.Length == 0)
                NoteEndOfGroup(file, name.Segment, scan.Position);
            if (frame.Flags.HasFlag(FrameFlags.Closing))
                return true;
        }
    }

    private void Gather(ArraySegment<byte> payload, in FrameHeader frame, string path, int position, IEffectReader reader)
    {
        _group.Write(payload);
        if (!frame.Flags.HasFlag(FrameFlags.Ends))
            return;
        Apply(new ArraySegment<byte>(_group.GetBuffer(), 0, (int)_group.Length), path, position, reader);
        reader.Settle();
        _group.SetLength(0);
    }

    private void Apply(ArraySegment<byte> effects, string path, int position, IEffectReader reader)
    {
        _bytes += effects.Count;
        if (effects.Count > 0)
            reader.Apply(effects, path, position);
    }

    private void NoteEndOfGroup(string file, int segment, int position)
    {
        _groupFile = file;
        _groupPosition = position;
        _groupOffset = _expected;
        _groupSegment = segment;
    }

    // Where reading cannot go on: the end, or a damage.
    private LogTruncation? EndAt(GenerationFiles files, int segment, ref SegmentScan scan, int length, long? nextOffset)
    {
        LogFileName name = new(files.Number, segment);
        if (nextOffset is not null)
            throw Damage(name, scan.Position, "what stands here is damaged, and the log goes on in a later file");
        long lost = scan.BytesBehind + (_expected - _groupOffset);
        if (scan.HasLaterFrame(_logId, files.Number, _expected))
            throw Damage(name, scan.Position, "what stands here is damaged, and sound frames follow that were written after it");
        // From here on the scan's bytes are gone, only its place counts.
        foreach (int later in files.Segments.Where(later => later > segment))
        {
            SegmentScan laterScan = new(_ahead!.Read(new LogFileName(files.Number, later).Text(_prefix)), isFirst: false);
            if (laterScan.HasLaterFrame(_logId, files.Number, _expected))
                throw Damage(name, scan.Position, "what stands here is damaged, and sound frames follow that were written after it");
            lost += laterScan.BytesBehind;
        }

        _expected = _groupOffset;
        _group.SetLength(0);
        return lost > 0 || IsCut(length) ? new LogTruncation(PathOf(new LogFileName(files.Number, _groupSegment)), _groupPosition, lost) : null;
    }

    // The log is written in whole sectors; a file that ends elsewhere, and was not closed, was cut.
    private static bool IsCut(int length) => length % SegmentDevice.WriteBytes != 0;

    private void Delete(GenerationFiles files)
    {
        foreach (int segment in files.Segments)
            _folder.Delete(new LogFileName(files.Number, segment).Text(_prefix));
        if (files.HasBase)
            _folder.Delete(LogFileName.BaseOf(files.Number).Text(_prefix));
    }

    private AppendLogException Damage(LogFileName name, long position, string problem) => new(PathOf(name), position, problem, Repair);

    private string PathOf(LogFileName name) => System.IO.Path.Combine(_folder.Path, name.Text(_prefix));
}
