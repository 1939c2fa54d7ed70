// Keeps the manifest of an open log up to date. Thread-safe: the log's two threads and the one that rewrites it write it.
using Garnet.Persistence.Files;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// Written when a generation begins, when a snapshot replaces older files, when a file of the log is full, and at the end. Never on the
/// path of a write: what is not in the manifest yet is still found in the log itself.
/// </summary>
internal sealed class ManifestKeeper(ILogFolder folder, string prefix, LogStart start, Action<string> report)
{
    private readonly Lock _gate = new();
    private readonly List<ManifestGeneration> _generations = [.. start.Earlier ?? []];
    private int _base = start.Base;
    private bool _isComplete = start.IsComplete;
    private bool _isStale;
    private string _importedFrom = "";

    /// <summary>Whether the last attempt to write it failed for want of space.</summary>
    public bool IsDiskFull { get; private set; }

    /// <summary>Whether the last attempt to write it failed.</summary>
    public bool IsStale => Volatile.Read(ref _isStale);

    /// <summary>
    /// A generation has been opened, durably. While the log has no base to continue, the generation counts only after
    /// <see cref="SetBase"/>.
    /// </summary>
    /// <returns>The error that prevented writing the manifest; null when it was written, or need not be yet.</returns>
    public string? Begin(int generation, long offset)
    {
        lock (_gate)
        {
            // The previous generation ends here.
            if (_generations.Count > 0)
                _generations[^1] = _generations[^1] with { Floor = offset };
            _generations.Add(new ManifestGeneration(generation, offset, offset));
            return _isComplete ? TrySave() : null;
        }
    }

    /// <summary>The snapshot of a generation is durable: it and everything after it suffice for a start.</summary>
    /// <param name="generation">Its number.</param>
    /// <param name="importedFrom">See <see cref="LogManifest.ImportedFrom"/>.</param>
    /// <returns>The error that prevented writing the manifest, or null.</returns>
    public string? SetBase(int generation, string importedFrom)
    {
        lock (_gate)
        {
            List<ManifestGeneration> former = [.. _generations];
            (int, bool) before = (_base, _isComplete);
            _generations.RemoveAll(each => each.Number < generation);
            _base = generation;
            _isComplete = true;
            _importedFrom = importedFrom;
            if (TrySave() is not { } problem)
                return null;
            _generations.Clear();
            _generations.AddRange(former);
            (_base, _isComplete) = before;
            return problem;
        }
    }

    /// <summary>The current generation is durable up to here.</summary>
    public void Raise(long durable)
    {
        lock (_gate)
        {
            if (!_isComplete || _generations.Count == 0)
                return;
            if (durable > _generations[^1].Floor)
                _generations[^1] = _generations[^1] with { Floor = durable };
            TrySave();
        }
    }

    /// <summary>The imported files have been moved away: the next manifest does not name them.</summary>
    public void ClearImportedFrom()
    {
        lock (_gate)
            _importedFrom = "";
    }

    private string? TrySave()
    {
        LogManifest manifest = new()
        {
            LogId = start.LogId,
            Base = _base,
            Generations = _generations,
            ImportedFrom = _importedFrom,
        };
        try
        {
            manifest.Save(folder, prefix);
            Volatile.Write(ref _isStale, false);
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The manifest names less than there is, which loses nothing; the log's thread tries again.
            if (!IsStale)
                report($"The manifest of the append-only log could not be written: {e.Message}");
            Volatile.Write(ref _isStale, true);
            IsDiskFull = DiskSpace.IsMissing(e);
            return e.Message;
        }
    }
}
