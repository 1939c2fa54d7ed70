// Finds a log's files, chooses where to start, and reads the effects to the end. Used by one thread, before the log is opened for writing.
namespace Garnet.Persistence.AppendLog;

/// <summary>
/// Reading starts at the newest snapshot and ends at the last whole effect. An unreadable place counts as the end unless something shows
/// that the disk once had more: a write was in progress when the server stopped. Frames record how far the log was durable, so damage
/// before that point can be distinguished from a torn end, and is rejected.
/// </summary>
internal sealed class AppendLogRecovery
{
    private readonly string _repair;

    private readonly ILogFolder _folder;
    private readonly string _prefix;
    private readonly SortedDictionary<int, GenerationFiles> _generations = [];
    private readonly List<GenerationFiles> _chain = [];
    private readonly List<string> _asides = [];
    private readonly MemoryStream _group = new();
    private readonly List<ManifestGeneration> _read = [];
    private readonly LogManifest? _manifest;
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

    /// <summary>Scans the folder.</summary>
    /// <exception cref="AppendOnlyLogException">Files are missing, so that the log cannot be read.</exception>
    public AppendLogRecovery(ILogFolder folder, string prefix)
    {
        _folder = folder;
        _prefix = prefix;
        _repair =
            $"Restore the file from a copy; or, to continue with the data before it, delete this file, those with higher numbers, and {LogManifest.NameOf(prefix)}";
        _manifest = LogManifest.Load(folder, prefix);
        List();
        if (!IsBeginning)
            Choose();
    }

    /// <summary>
    /// True when the first generation was still being created: nothing has been acknowledged, and the existing files are ignored
    /// (<see cref="Clear"/>).
    /// </summary>
    public bool IsBeginning => _manifest is { Generations.Count: 0 };

    /// <summary>
    /// False when the folder was written before manifests existed, or its manifest was deleted: then only what the files themselves show is
    /// checked.
    /// </summary>
    public bool HasManifest => _manifest is not null;

    /// <summary>See <see cref="LogManifest.ImportedFrom"/>.</summary>
    public string ImportedFrom => _manifest?.ImportedFrom ?? "";

    /// <summary>True when there is a log.</summary>
    public bool Exists => _chain.Count > 0;

    /// <summary>Path of the snapshot to load before the effects; null when the log starts with no data.</summary>
    public string? BasePath =>
        Exists && _chain[0].HasBase ? System.IO.Path.Combine(_folder.Path, LogFileName.BaseOf(_chain[0].Number).Text(_prefix)) : null;

    /// <summary>Number of the generation that reading starts with.</summary>
    public int FirstGeneration => Exists ? _chain[0].Number : 0;

    /// <summary>
    /// The number of the next generation: the generations read are numbered without a gap, and useless ones are gone after
    /// <see cref="Trim"/>.
    /// </summary>
    public int NextGeneration =>
        Exists ? _chain[^1].Number + 1
        : _generations.Count == 0 ? 1
        : _generations.Keys.Last() + 1;

    /// <summary>Bytes of the files to be read.</summary>
    public long TotalBytes { get; private set; }

    /// <summary>Bytes read so far; may be read by any thread.</summary>
    public long ReadBytes { get; private set; }

    /// <summary>Where to continue after <see cref="Read(IEffectApplier, bool)"/>.</summary>
    public LogStart StartAfter(LogEnd end) =>
        new(end.LogId, NextGeneration, end.Offset, NeedsBase: false) { Base = _chain[0].HasBase ? _chain[0].Number : 0, Earlier = _read };

    /// <summary>As <see cref="Read(IEffectApplier, bool)"/>, for a delegate that has applied its effects when it returns.</summary>
    public LogEnd Read(EffectApplier apply, bool mayTruncate) => Read(new ImmediateEffectApplier(apply), mayTruncate);

    /// <summary>Reads all effects from the snapshot on; returns when they have been applied.</summary>
    /// <param name="applier">Receives them, in order.</param>
    /// <param name="mayTruncate">Whether a log that lost its end is read up to that point (aof-load-truncated).</param>
    /// <exception cref="AppendOnlyLogException">The log is damaged, or has lost its end and that is not accepted.</exception>
    public LogEnd Read(IEffectApplier applier, bool mayTruncate)
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
            {
                truncation = ReadGeneration(_chain[i], i + 1 < _chain.Count ? _chain[i + 1].Opening!.Value.Offset : null, applier);
                CountRead(_chain[i]);
            }
        }

        _ahead = null;

        if (truncation is not null && !mayTruncate)
        {
            throw new AppendOnlyLogException(
                truncation.File,
                truncation.Position,
                "the end of the log is incomplete",
                "Set aof-load-truncated to yes to continue with the data before it"
            );
        }

        return new LogEnd(_logId, _expected, _chain.Count, _frames, _bytes, truncation);
    }

    /// <summary>
    /// After <see cref="Read(IEffectApplier, bool)"/>: truncates incomplete frames, so that the next generation continues exactly there,
    /// and deletes useless files.
    /// </summary>
    public void Trim()
    {
        GenerationFiles last = _chain[^1];
        _folder.Truncate(_groupFile, _groupPosition);
        foreach (int segment in last.Segments.Where(segment => segment > _groupSegment))
            _folder.Delete(new LogFileName(last.Number, segment).Text(_prefix));
        foreach (GenerationFiles useless in _generations.Values.Where(files => !_chain.Contains(files)))
            Delete(useless);

        // Left behind by a rewrite that was killed. The next one has another number, and so another name, and would not replace it.
        foreach (string file in _asides)
            _folder.Delete(file);
    }

    /// <summary>
    /// Records in the folder that a first generation is being created, and deletes what is left of an earlier attempt. Only where there is
    /// no log.
    /// </summary>
    /// <exception cref="AppendOnlyLogException">A file operation failed.</exception>
    public void Clear()
    {
        try
        {
            new LogManifest().Save(_folder, _prefix);
            foreach (GenerationFiles files in _generations.Values)
                Delete(files);
            foreach (string file in _asides)
                _folder.Delete(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new AppendOnlyLogException(
                _folder.Path,
                0,
                e.Message,
                "Free disk space or fix the folder's permissions, and start again"
            );
        }

        _generations.Clear();
        _asides.Clear();
    }

    /// <summary>
    /// Deletes the files of all generations before the given one, gradually, unless <paramref name="isHurried"/> says otherwise.
    /// </summary>
    public static void DeleteBefore(ILogFolder folder, string prefix, int generation, Func<bool> isHurried)
    {
        // Oldest first, so that the remaining files are consistent if this is interrupted.
        foreach (string file in folder.List().Order(StringComparer.Ordinal))
        {
            if (LogFileName.TryParse(prefix, file, out LogFileName name) && name.Generation < generation)
                folder.DeleteGradually(file, isHurried);
        }
    }

    /// <summary>The highest generation number of any file or the manifest; 0 when there is none.</summary>
    /// <exception cref="AppendOnlyLogException">The manifest is damaged.</exception>
    public static int HighestGeneration(ILogFolder folder, string prefix) =>
        Math.Max(
            LogManifest.Load(folder, prefix)?.LastGeneration ?? 0,
            folder
                .List()
                .Select(file => LogFileName.TryParse(prefix, file, out LogFileName name) ? name.Generation : 0)
                .DefaultIfEmpty()
                .Max()
        );

    /// <summary>The file name of a generation's snapshot.</summary>
    public static string BaseName(string prefix, int generation) => LogFileName.BaseOf(generation).Text(prefix);

    private void List()
    {
        foreach (string file in _folder.List())
        {
            if (LogFileName.IsTemporary(_prefix, file) || LogManifest.IsTemporary(_prefix, file))
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
        int length;
        try
        {
            length = _folder.Read(new LogFileName(files.Number, 0).Text(_prefix), ref _buffer);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Reported by name if the generation is needed.
            files.Unreadable = e.Message;
            files.IsDamaged = true;
            return;
        }

        SegmentScan scan = new(_buffer.AsSpan(0, length), isFirst: true);
        SegmentScan opening = scan;
        if (opening.TryNext(out FrameHeader frame) && frame.Flags.HasFlag(FrameFlags.Opening) && frame.Generation == files.Number)
            files.Opening = frame;
        else
            files.IsDamaged = scan.HasFrame();
    }

    // Chooses the newest snapshot, and everything after it.
    private void Choose()
    {
        if (_generations.Count == 0 && _manifest is null)
            return;
        if (_generations.Count == 0)
            throw Damage(FirstNeeded, 0, "the file is missing");
        // A newest generation without any frame was only just being created. Its snapshot may exist already; the generations before it
        // exist until its first frame is durable.
        GenerationFiles newest = _generations.Values.Last();
        bool isUnborn =
            newest is { Opening: null, IsDamaged: false }
            && (!newest.HasBase || _generations.Count > 1)
            && newest.Number > (_manifest?.LastGeneration ?? 0);
        GenerationFiles[] born = [.. _generations.Values.Take(_generations.Count - (isUnborn ? 1 : 0))];
        GenerationFiles? first =
            born.LastOrDefault(static files => files is { HasBase: true, Opening: not null })
            ?? born.FirstOrDefault(static files => !files.LacksBase);
        if (first is null && _manifest is not null)
            throw Damage(FirstNeeded, 0, "the file is missing");
        if (first is null)
            return;
        CheckFirst(first);
        if (first.Opening is null)
            throw NoOpening(first.Number);
        if (!first.HasBase && first.Opening.Value.Offset != 0)
        {
            throw new AppendOnlyLogException(
                PathOf(LogFileName.BaseOf(first.Number)),
                0,
                "the snapshot that the log continues is missing",
                "Restore it from a copy"
            );
        }

        foreach (GenerationFiles files in born.Where(files => files.Number >= first.Number))
        {
            if (files.LacksBase)
                break;
            if (
                files.Number != first.Number + _chain.Count
                || files.Opening is null
                || files.Opening.Value.LogId != first.Opening.Value.LogId
            )
            {
                throw NoOpening(first.Number + _chain.Count);
            }

            _chain.Add(files);
        }

        if (_manifest?.LogId == first.Opening.Value.LogId && _manifest.LastGeneration > _chain[^1].Number)
            throw NoOpening(_chain[^1].Number + 1);
        TotalBytes = _chain.SelectMany(NamesOf).Sum(LengthOf);
    }

    // The file that reading has to start with, as far as the manifest knows.
    private LogFileName FirstNeeded =>
        _manifest!.Base != 0 ? LogFileName.BaseOf(_manifest.Base) : new LogFileName(_manifest.Generations[0].Number, 0);

    // A snapshot newer than the manifest knows may replace what the manifest names: it is complete, and older files may have been deleted
    // already.
    private void CheckFirst(GenerationFiles first)
    {
        if (_manifest is null)
            return;
        int needed = _manifest.Generations[0].Number;
        bool isNewer = first.HasBase && first.Opening is not null && first.Number > needed;
        if (isNewer && (first.Opening!.Value.LogId == _manifest.LogId || first.Number > _manifest.LastGeneration))
            return;
        if (_manifest.Base != 0 && !(_generations.TryGetValue(_manifest.Base, out GenerationFiles? based) && based.HasBase))
            throw Damage(LogFileName.BaseOf(_manifest.Base), 0, "the file is missing");
        if (first.Number != needed)
            throw NoOpening(needed);
        if (first.Opening is { } opening && opening.LogId != _manifest.LogId)
            throw Damage(new LogFileName(first.Number, 0), 0, "the file belongs to another log");
    }

    private AppendOnlyLogException NoOpening(int generation)
    {
        string problem =
            _generations.TryGetValue(generation, out GenerationFiles? files) && files.Segments.Contains(0)
                ? files.Unreadable ?? "its first frame is missing or damaged"
                : "the file is missing";
        return Damage(new LogFileName(generation, 0), 0, problem);
    }

    // The data read must reach as far as the manifest says the disk once had it.
    private void CountRead(GenerationFiles files)
    {
        long start = files.Opening!.Value.Offset;
        _read.Add(new ManifestGeneration(files.Number, start, _expected));
        foreach (ManifestGeneration known in _manifest?.LogId == _logId ? _manifest.Generations : [])
        {
            if (known.Number != files.Number || (known.Start == start && _expected >= known.Floor))
                continue;
            throw new AppendOnlyLogException(
                System.IO.Path.Combine(_folder.Path, _groupFile),
                _groupPosition,
                $"the log ends here at position {_expected} of the stream, but the disk had it up to {known.Floor}",
                _repair
            );
        }
    }

    private IEnumerable<string> NamesOf(GenerationFiles files) =>
        files.Segments.Select(segment => new LogFileName(files.Number, segment).Text(_prefix));

    private LogTruncation? ReadGeneration(GenerationFiles files, long? nextOffset, IEffectApplier applier)
    {
        if (files.Opening!.Value.Offset != _expected)
        {
            throw Damage(
                new LogFileName(files.Number, 0),
                SegmentScan.FirstEntry,
                $"the log continues at position {files.Opening.Value.Offset} of the stream, where {_expected} was expected"
            );
        }

        MarkEndOfGroup(new LogFileName(files.Number, 0).Text(_prefix), 0, 0);
        int lastSegment = files.Segments.Max;
        for (int segment = 0; segment <= lastSegment; segment++)
        {
            LogFileName name = new(files.Number, segment);
            if (!files.Segments.Contains(segment))
                throw Damage(name, 0, "the file is missing");
            string file = name.Text(_prefix);
            ArraySegment<byte> bytes = ReadFile(name);
            SegmentScan scan = new(bytes, segment == 0);
            long before = ReadBytes;
            bool isClosed = ReadFrames(ref scan, bytes.Array!, name, file, applier);
            // Afterwards the buffer is no longer referenced.
            applier.Settle();
            ReadBytes = before + bytes.Count;
            if (isClosed || (nextOffset == _expected && _group.Length == 0))
                return null;
            if (scan.BytesBehind > 0 || segment == lastSegment || IsCut(bytes.Count))
                return EndAt(files, segment, ref scan, bytes.Count, nextOffset);
        }

        return null;
    }

    private ArraySegment<byte> ReadFile(LogFileName name)
    {
        try
        {
            return _ahead!.Read(name.Text(_prefix));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw Damage(name, 0, e.Message);
        }
    }

    // For progress only: problems with the file are reported when it is read.
    private long LengthOf(string name)
    {
        try
        {
            return _folder.Length(name);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    // True when the generation ended with a closing frame.
    private bool ReadFrames(ref SegmentScan scan, byte[] bytes, LogFileName name, string file, IEffectApplier applier)
    {
        string path = PathOf(name);
        long before = ReadBytes;
        while (true)
        {
            SegmentScan ahead = scan;
            if (
                !ahead.TryNext(out FrameHeader frame)
                || frame.LogId != _logId
                || frame.Generation != name.Generation
                || frame.Offset != _expected
            )
            {
                return false;
            }

            scan = ahead;
            _frames++;
            _expected = frame.EndOffset;
            ReadBytes = before + scan.Position;
            ArraySegment<byte> payload = new(bytes, scan.PayloadStart, frame.PayloadLength);
            if (frame.Flags.HasFlag(FrameFlags.Begins) && frame.Flags.HasFlag(FrameFlags.Ends))
                Apply(payload, path, scan.EntryStart, applier);
            else
                Gather(payload, frame, path, scan.EntryStart, applier);
            if (_group.Length == 0)
                MarkEndOfGroup(file, name.Segment, scan.Position);
            if (frame.Flags.HasFlag(FrameFlags.Closing))
                return true;
        }
    }

    private void Gather(ArraySegment<byte> payload, in FrameHeader frame, string path, int position, IEffectApplier applier)
    {
        _group.Write(payload);
        if (!frame.Flags.HasFlag(FrameFlags.Ends))
            return;
        Apply(new ArraySegment<byte>(_group.GetBuffer(), 0, (int)_group.Length), path, position, applier);
        applier.Settle();
        _group.SetLength(0);
    }

    private void Apply(ArraySegment<byte> effects, string path, int position, IEffectApplier applier)
    {
        _bytes += effects.Count;
        if (effects.Count > 0)
            applier.Apply(effects, path, position);
    }

    private void MarkEndOfGroup(string file, int segment, int position)
    {
        _groupFile = file;
        _groupPosition = position;
        _groupOffset = _expected;
        _groupSegment = segment;
    }

    // Decides whether an unreadable place is the end of the log or damage.
    private LogTruncation? EndAt(GenerationFiles files, int segment, ref SegmentScan scan, int length, long? nextOffset)
    {
        LogFileName name = new(files.Number, segment);
        if (nextOffset is not null)
            throw Damage(name, scan.Position, "the data here is damaged, and the log continues in a later file");
        long lost = scan.BytesBehind + (_expected - _groupOffset);
        if (scan.HasLaterFrame(_logId, files.Number, _expected))
            throw Damage(name, scan.Position, "the data here is damaged, and it is followed by valid frames that were written later");
        // From here on the scan's bytes are gone; only its position is valid.
        foreach (int later in files.Segments.Where(later => later > segment))
        {
            SegmentScan laterScan = new(ReadFile(new LogFileName(files.Number, later)), isFirst: false);
            if (laterScan.HasLaterFrame(_logId, files.Number, _expected))
                throw Damage(name, scan.Position, "the data here is damaged, and it is followed by valid frames that were written later");
            lost += laterScan.BytesBehind;
        }

        _expected = _groupOffset;
        _group.SetLength(0);
        return lost > 0 || IsCut(length)
            ? new LogTruncation(PathOf(new LogFileName(files.Number, _groupSegment)), _groupPosition, lost)
            : null;
    }

    // The log is written in whole sectors; a file that ends elsewhere, and was not closed, was truncated.
    private static bool IsCut(int length) => length % SegmentDevice.WriteBytes != 0;

    private void Delete(GenerationFiles files)
    {
        foreach (int segment in files.Segments)
            _folder.Delete(new LogFileName(files.Number, segment).Text(_prefix));
        if (files.HasBase)
            _folder.Delete(LogFileName.BaseOf(files.Number).Text(_prefix));
    }

    private AppendOnlyLogException Damage(LogFileName name, long position, string problem) => new(PathOf(name), position, problem, _repair);

    private string PathOf(LogFileName name) => System.IO.Path.Combine(_folder.Path, name.Text(_prefix));
}
