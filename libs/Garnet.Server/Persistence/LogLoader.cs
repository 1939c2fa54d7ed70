// Loads the data of an append-only log, this server's own or that of Redis and Valkey. One thread at a time; clients get LOADING errors
// meanwhile.
using Garnet.Engine.Execution;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Persistence.Rdb;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence.Aof;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>
/// Reads snapshots and logs into the store. The clock stands still while effects are executed: later effects in the log may concern keys
/// that have expired since.
/// </summary>
internal sealed class LogLoader(
    ServerConfiguration configuration,
    Dataset data,
    SnapshotReader snapshots,
    ClientFactory clients,
    ILogger log
)
{
    private const string AofAdvice =
        "This server does not know it; start the server that wrote the file, rewrite it there (BGREWRITEAOF), and try again";

    /// <summary>Bytes of the snapshot loaded last.</summary>
    public long SnapshotBytes { get; private set; }

    /// <summary>Bytes of effects executed last.</summary>
    public long EffectBytes { get; private set; }

    private GarnetOptions Options => configuration.Current;

    /// <summary>Loads this server's own log.</summary>
    /// <param name="recovery">The log.</param>
    /// <param name="trims">Whether incomplete frames are cut off and useless files deleted, so that the log can be continued.</param>
    /// <param name="progress">Called with the number of bytes read and the total.</param>
    /// <returns>Where the log continues.</returns>
    /// <exception cref="AppendOnlyLogException">It cannot be read.</exception>
    public LogStart Replay(AppendLogRecovery recovery, bool trims, Action<long, long> progress) =>
        WithStoppedClock(() =>
        {
            if (recovery.BasePath is { } path)
            {
                SnapshotBytes = LengthOf(path);
                progress(0, SnapshotBytes + recovery.TotalBytes);
                LoadSnapshot(path, keepsExpired: true);
            }

            using EffectReplay replay = new(
                clients,
                data.Store.Databases,
                Environment.ProcessorCount,
                () => progress(SnapshotBytes + recovery.ReadBytes, SnapshotBytes + recovery.TotalBytes)
            );
            LogEnd end = recovery.Read(replay, Options.AofLoadTruncated);
            EffectBytes = end.Bytes;
            ReportTruncation(end.Truncation);
            if (trims)
                recovery.Trim();
            log.LogInformation(
                "Replayed {Effects} effects, {Bytes} bytes, from the append-only log; {Errors} of them failed, as they did originally",
                replay.Effects,
                end.Bytes,
                replay.Errors
            );
            return recovery.StartAfter(end);
        });

    /// <summary>Loads the append-only files of Redis or Valkey.</summary>
    /// <exception cref="AppendOnlyLogException">They cannot be read.</exception>
    public void Load(AofFiles files, Action<long, long> progress)
    {
        files.CheckPresent();
        long total = files.Files.Sum(static file => LengthOf(file.Path));
        AofReader reader = null!;
        reader = new AofReader(
            (file, stream) => LoadSnapshot(file.Path, stream, keepsExpired: true),
            () =>
                new EffectReplay(clients, data.Store.Databases, Environment.ProcessorCount, () => progress(reader.ReadBytes, total))
                {
                    Advice = AofAdvice,
                    IsPlain = true,
                },
            Options.AofLoadTruncated
        );
        WithStoppedClock(() =>
        {
            foreach (AofFile file in files.Files)
                reader.Read(file);
            return 0;
        });
        ReportTruncation(reader.Truncation);
        log.LogInformation(
            "Loaded {Bytes} bytes from the append-only files of another server: {Files}",
            reader.ReadBytes,
            string.Join(", ", files.Files.Select(static file => file.Path))
        );
    }

    /// <summary>Loads a snapshot.</summary>
    /// <exception cref="AppendOnlyLogException">It cannot be read.</exception>
    public void LoadSnapshot(string path, bool keepsExpired)
    {
        try
        {
            using FileStream file = RegularFile.OpenStream(path);
            LoadSnapshot(path, (Stream)file, keepsExpired);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new AppendOnlyLogException(
                path,
                0,
                e.Message,
                "Put the file back, or restore it from a copy; without it the log cannot be read"
            );
        }
    }

    private long LoadSnapshot(string path, Stream file, bool keepsExpired)
    {
        try
        {
            RdbLoadResult result = snapshots.Load(file, keepsExpired);
            log.LogInformation("Loaded {Keys} keys from {Path}", result.Keys, path);
            if (data.Functions.Restore(result.Functions) is { } problem)
            {
                throw new AppendOnlyLogException(
                    path,
                    0,
                    $"a library of functions cannot be loaded: {problem}",
                    "Restore the file from a copy"
                );
            }

            return result.Bytes;
        }
        catch (RdbFormatException e)
        {
            throw new AppendOnlyLogException(path, e.Offset, e.Reason, "Restore the file from a copy; without it the log cannot be read");
        }
    }

    private void ReportTruncation(LogTruncation? truncation)
    {
        if (truncation is not null)
        {
            log.LogWarning(
                "The end of the append-only log is lost: {File} is complete up to byte {Position}, the {Bytes} bytes after it are not",
                truncation.File,
                truncation.Position,
                truncation.LostBytes
            );
        }
    }

    private T WithStoppedClock<T>(Func<T> action)
    {
        data.Store.Clock.IsStopped = true;
        try
        {
            return action();
        }
        finally
        {
            data.Store.Clock.IsStopped = false;
        }
    }

    private static long LengthOf(string path) => new FileInfo(path) is { Exists: true } file ? file.Length : 0;
}
