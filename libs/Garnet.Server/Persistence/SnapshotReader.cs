// Reads snapshots into the data. One thread at a time; clients get LOADING errors meanwhile, unless the data is loaded beside the present.
using System.Diagnostics;
using Garnet.Engine.Clients;
using Garnet.Persistence.Files;
using Garnet.Persistence.Rdb;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>Applies the options in force, and shows the progress.</summary>
internal sealed class SnapshotReader(ServerConfiguration configuration, Dataset data, LoadingState loading, ServerClock clock, ILogger log)
{
    private static readonly TimeSpan ReportPeriod = TimeSpan.FromSeconds(2);

    private bool _skipsChecksums;

    /// <summary>Whether checksums of payloads and snapshots are ignored (DEBUG SET-SKIP-CHECKSUM-VALIDATION).</summary>
    public bool SkipsChecksums
    {
        get => Volatile.Read(ref _skipsChecksums);
        set => Volatile.Write(ref _skipsChecksums, value);
    }

    /// <summary>The last file that was loaded, or null.</summary>
    public RdbLoadResult? LastLoad { get; private set; }

    /// <summary>Loads the keys of a snapshot, in addition to those that there are. Its functions are left to the caller.</summary>
    /// <param name="source">The snapshot.</param>
    /// <param name="keepsExpired">Whether keys are loaded that have expired.</param>
    /// <param name="cancel">Cancels the loading.</param>
    /// <param name="intoPrepared">Whether they are loaded into the databases that were prepared beside the present ones.</param>
    /// <exception cref="RdbFormatException">It is damaged.</exception>
    public RdbLoadResult Load(Stream source, bool keepsExpired, CancellationToken cancel = default, bool intoPrepared = false)
    {
        RdbLoadOptions options = NewOptions() with { KeepsExpired = keepsExpired, IntoPrepared = intoPrepared };
        return Load(new RdbLoader(data.Store, options), source, cancel);
    }

    /// <summary>Reads a snapshot without keeping anything.</summary>
    /// <exception cref="RdbFormatException">It is damaged.</exception>
    public RdbLoadResult Check(Stream source, CancellationToken cancel) =>
        new RdbLoader(data.Store, NewOptions() with { KeepsExpired = true, OnlyChecks = true }).Load(source, cancel);

    /// <summary>Loads one snapshot file with its functions, in addition to what there is.</summary>
    /// <param name="path">The file.</param>
    /// <param name="keepsExpired">
    /// Whether keys are loaded that have expired; those of a snapshot whose history is continued are in any case: replicas have them, and
    /// are told when the server, once it serves, expires them.
    /// </param>
    /// <param name="cancel">Cancels the loading.</param>
    /// <exception cref="DataLoadException">Some of it cannot be read; the server must not serve.</exception>
    /// <exception cref="OperationCanceledException">The loading was cancelled.</exception>
    public RdbLoadResult LoadFile(string path, bool keepsExpired, CancellationToken cancel)
    {
        RdbLoadOptions options = NewOptions() with { KeepsExpired = keepsExpired, KeepsExpiredWith = ReplicationHistory.Property };
        RdbLoader loader = new(data.Store, options);
        long start = Stopwatch.GetTimestamp();
        using ITimer report = clock.Time.CreateTimer(_ => Report(path, loader.Progress), null, ReportPeriod, ReportPeriod);
        try
        {
            using FileStream file = RegularFile.OpenStreamOrPipe(path);
            RdbLoadResult result = Load(loader, file, cancel);
            if (data.Functions.Restore(result.Functions) is { } problem)
            {
                throw new DataLoadException(
                    $"{path} has a library of functions that cannot be loaded: {problem}. Replace it with an intact copy, or move it away to start empty.",
                    innerException: null
                );
            }

            LastLoad = result;
            log.LogInformation(
                "Loaded {Keys} keys ({Expired} had expired) from {Path}, {Bytes} bytes, in {Seconds:F2} s",
                result.Keys,
                result.ExpiredKeys,
                path,
                result.Bytes,
                Stopwatch.GetElapsedTime(start).TotalSeconds
            );
            return result;
        }
        catch (RdbFormatException e)
        {
            throw new DataLoadException(
                $"{path} is damaged or of an unknown kind: {e.Message}. Replace it with an intact copy, or move it away to start empty.",
                e
            );
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new DataLoadException(
                $"{path} cannot be read: {e.Message}. Let the server's user read it, or move it away to start empty.",
                e
            );
        }
    }

    private RdbLoadResult Load(RdbLoader loader, Stream source, CancellationToken cancel)
    {
        if (loading.Current is { } status)
            status.Snapshot = loader.Progress;
        try
        {
            return loader.Load(source, cancel);
        }
        finally
        {
            loading.Current?.EndSnapshot();
        }
    }

    private RdbLoadOptions NewOptions()
    {
        GarnetOptions options = configuration.Current;
        return new RdbLoadOptions
        {
            VerifiesChecksum = options.RdbChecksum && !SkipsChecksums,
            TakesLaterVersions = options.RdbVersionCheck == RdbVersionCheck.Relaxed,
        };
    }

    private void Report(string path, RdbLoadProgress progress)
    {
        if (progress.TotalBytes <= 0)
        {
            log.LogInformation("Loading {Path}: {Bytes} bytes, {Keys} keys", path, progress.LoadedBytes, progress.Keys);
            return;
        }

        log.LogInformation(
            "Loading {Path}: {Percent:F0} % of {Bytes} bytes, {Keys} keys",
            path,
            100.0 * progress.LoadedBytes / progress.TotalBytes,
            progress.TotalBytes,
            progress.Keys
        );
    }
}
