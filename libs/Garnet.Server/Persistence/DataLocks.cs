// The locks of this server on its data files, visible to other servers. Thread-safe.
using Garnet.Persistence.Files;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>
/// One lock for the append-only log, while it is enabled or written, and one for the snapshot's name, while there is a schedule or a
/// snapshot is being saved. So servers that save nothing, or under other names, may share a folder; two that would overwrite each other's
/// files may not.
/// </summary>
internal sealed class DataLocks : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, (IDisposable Lock, int Users)> _held = [];
    private readonly Dictionary<string, DataLease> _configured = [];
    private readonly ServerConfiguration _configuration;
    private readonly IDisk _disk;
    private readonly ILogger _log;
    private string _holder;

    /// <summary>Creates the locks of a server; none is taken yet.</summary>
    public DataLocks(ServerConfiguration configuration, IDisk disk, ILogger log)
    {
        _configuration = configuration;
        _disk = disk;
        _log = log;
        _holder = $"process {Environment.ProcessId}";
        string[] options = ["dir", "dbfilename", "save", "appendonly"];
        configuration.ApplyAtOnce(options, Follow);
        foreach (string option in options)
            configuration.OnChange(option, Settle);
    }

    /// <summary>Shows other servers where this one listens.</summary>
    public void Describe(string addresses)
    {
        lock (_gate)
        {
            _holder = $"process {Environment.ProcessId} ({addresses})";
            foreach ((IDisposable held, _) in _held.Values)
                (held as FileLock)?.Describe(_holder);
        }
    }

    /// <summary>The message for a user whose options require files in a folder where none can be created.</summary>
    public static string UnwritableText(GarnetOptions options, Exception failure) =>
        $"dir {options.Dir} is not writable ({failure.Message}). Give the server's user write permission, set another dir, or turn save and appendonly off";

    /// <summary>Locks the snapshot file for writing until the lease is disposed.</summary>
    /// <exception cref="IOException">Another server has it, or the lock file cannot be created.</exception>
    /// <exception cref="UnauthorizedAccessException">The lock file cannot be created.</exception>
    public IDisposable TakeSnapshot(string path) => Take(path, LockOfSnapshot(path), () => DeleteLeftovers(path));

    /// <summary>
    /// Locks the append-only log for writing until the lease is disposed.
    /// <inheritdoc cref="TakeSnapshot"/>
    /// </summary>
    public IDisposable TakeLog(GarnetOptions options)
    {
        Directory.CreateDirectory(FolderOfLog(options));
        return Take(FolderOfLog(options), LockOfLog(options), static () => { });
    }

    /// <summary>
    /// Takes the locks that a server with these options holds permanently, and checks that files can be created beside them. On failure
    /// nothing has changed.
    /// </summary>
    /// <exception cref="DataInUseException">Another server has one of them.</exception>
    /// <exception cref="IOException">A lock's file cannot be made.</exception>
    /// <exception cref="UnauthorizedAccessException">A lock's file cannot be made.</exception>
    public void TakeConfigured(GarnetOptions options)
    {
        lock (_gate)
        {
            List<string> taken = [];
            try
            {
                foreach ((string data, string path, bool isSnapshot) in Wanted(options))
                {
                    if (!isSnapshot)
                        Directory.CreateDirectory(data);
                    _disk.CheckWritable(Path.GetDirectoryName(path)!);
                    if (_configured.ContainsKey(path))
                        continue;
                    _configured.Add(path, Take(data, path, () => DeleteLeftovers(isSnapshot ? data : "")));
                    taken.Add(path);
                }
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                foreach (string path in taken)
                    Release(path);
                throw;
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            foreach (string path in _configured.Keys.ToArray())
                Release(path);
        }
    }

    private static string FolderOfLog(GarnetOptions options) => Path.Combine(options.Dir, options.AppendDirName);

    private static string LockOfLog(GarnetOptions options) => Path.Combine(FolderOfLog(options), $".{options.AppendFileName}.lock");

    private static string LockOfSnapshot(string path) => Path.Combine(Path.GetDirectoryName(path)!, $".{Path.GetFileName(path)}.lock");

    private static IEnumerable<(string Data, string Path, bool IsSnapshot)> Wanted(GarnetOptions options)
    {
        string snapshot = Path.Combine(options.Dir, options.DbFileName);
        if (options.Save.Count > 0)
            yield return (snapshot, LockOfSnapshot(snapshot), true);
        if (options.AppendOnly)
            yield return (FolderOfLog(options), LockOfLog(options), false);
    }

    // As part of a change of options: locks needed by the previous options are kept until the change is final, because it may still be
    // reverted.
    private string? Follow(GarnetOptions options)
    {
        try
        {
            TakeConfigured(options);
            Settle(options, _configuration.Current);
            return null;
        }
        catch (DataInUseException e)
        {
            return e.Message;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return UnwritableText(options, e);
        }
    }

    private void Settle(GarnetOptions options) => Settle(options, options);

    // Releases locks that neither of two sets of options needs.
    private void Settle(GarnetOptions one, GarnetOptions other)
    {
        lock (_gate)
        {
            HashSet<string> wanted = [.. Wanted(one).Concat(Wanted(other)).Select(static each => each.Path)];
            foreach (string path in _configured.Keys.Where(path => !wanted.Contains(path)).ToArray())
                Release(path);
        }
    }

    private void Release(string path)
    {
        _configured.Remove(path, out DataLease? lease);
        lease!.Dispose();
    }

    private DataLease Take(string data, string path, Action whenNew)
    {
        lock (_gate)
        {
            if (_held.TryGetValue(path, out (IDisposable Lock, int Users) held))
            {
                _held[path] = (held.Lock, held.Users + 1);
            }
            else
            {
                IDisposable taken = _disk.TryLock(path, _holder, out string heldBy) ?? throw new DataInUseException(data, heldBy);
                _held.Add(path, (taken, 1));
                whenNew();
            }

            return new DataLease(() => GiveBack(path));
        }
    }

    private void GiveBack(string path)
    {
        lock (_gate)
        {
            (IDisposable held, int users) = _held[path];
            if (users > 1)
            {
                _held[path] = (held, users - 1);
                return;
            }

            _held.Remove(path);
            held.Dispose();
        }
    }

    // Deletes files left by servers that were killed while saving. No other server writes them while the lock is held.
    private void DeleteLeftovers(string path)
    {
        if (path.Length == 0)
            return;
        try
        {
            int count = _disk.DeleteLeftovers(path);
            if (count > 0)
                _log.LogInformation("Deleted {Count} unfinished snapshot(s) beside {Path}", count, path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _log.LogWarning("An unfinished snapshot beside {Path} cannot be deleted: {Problem}", path, e.Message);
        }
    }
}
