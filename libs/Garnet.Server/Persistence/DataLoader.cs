// Loads the data at the start of a server. Run once, by the thread that starts the server; clients get LOADING errors meanwhile.
using System.Diagnostics;
using Garnet.Persistence.Files;
using Garnet.Persistence.Rdb;
using Garnet.Server.Effects;
using Garnet.Server.Scripting.Functions;
using Garnet.Server.Sessions;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>Reads the append-only log if it is enabled, else the snapshot file, and reports progress.</summary>
internal sealed class DataLoader(RespServer server)
{
    private static readonly TimeSpan ReportPeriod = TimeSpan.FromSeconds(2);

    /// <summary>Whether there is anything to load.</summary>
    public bool HasData => server.Configuration.Current.AppendOnly || Path.Exists(server.Persistence.Snapshots.Path);

    /// <summary>
    /// Logs a warning if append-only files exist that are not loaded because appendonly is no: a user migrating from another server would
    /// believe the data lost.
    /// </summary>
    public void WarnOfUnread()
    {
        GarnetOptions options = server.Configuration.Current;
        string folder = Path.Combine(options.Dir, options.AppendDirName);
        string single = Path.Combine(options.Dir, options.AppendFileName);
        if (options.AppendOnly)
            return;
        if (Directory.Exists(folder) && Directory.EnumerateFiles(folder, options.AppendFileName + ".*").Any())
            server.Log.LogWarning("The append-only files in {Folder} are not loaded, because appendonly is no", folder);
        else if (File.Exists(single))
            server.Log.LogWarning("The append-only file {File} and its data are not loaded, because appendonly is no", single);
    }

    /// <summary>From here until <see cref="Load"/> returns, clients get LOADING errors.</summary>
    public void Announce() => server.Persistence.Loading = new LoadingStatus(server.Clock.Time.GetUtcNow().ToUnixTimeSeconds());

    /// <summary>Loads everything.</summary>
    /// <param name="functions">The libraries that are to be there besides those of the data.</param>
    /// <param name="cancel">Cancels the loading.</param>
    /// <exception cref="DataLoadException">Some of it cannot be read; the server must not serve.</exception>
    /// <exception cref="AppendOnlyLogException">The append-only log cannot be read or written.</exception>
    /// <exception cref="OperationCanceledException">The loading was cancelled.</exception>
    /// <exception cref="OptionException">A library of functions that the options name cannot be loaded.</exception>
    public void Load(StartFunctions functions, CancellationToken cancel)
    {
        long start = Stopwatch.GetTimestamp();
        bool isLog = server.Configuration.Current.AppendOnly;
        if (isLog)
            server.Persistence.AppendOnly.Load(NoteProgress);
        else
            server.Effects.Restore(LoadSnapshot(server.Persistence.Snapshots.Path, cancel).Aux);
        server.Persistence.Snapshots.NoteLoaded();
        functions.Load(server.Scripts, server.Effects, server.Store, server.Log);
        server.Persistence.Loading = null;
        server.Activities.Record(
            "garnet.load",
            Stopwatch.GetElapsedTime(start),
            null,
            new KeyValuePair<string, object?>("garnet.source", isLog ? "aof" : "rdb")
        );
    }

    /// <summary>Loads one snapshot file into the store, in addition to its content.</summary>
    /// <param name="path">The file.</param>
    /// <param name="cancel">Cancels the loading.</param>
    /// <exception cref="DataLoadException">Some of it cannot be read; the server must not serve.</exception>
    /// <exception cref="OperationCanceledException">The loading was cancelled.</exception>
    public RdbLoadResult LoadSnapshot(string path, CancellationToken cancel)
    {
        // Replicas that continue the history of a snapshot have the keys that expired while the server was down: it expires them once it
        // serves, and tells the replicas.
        var loader = new RdbLoader(
            server.Store,
            OptionsFor(server, keepsExpired: server.Effects.IsFollowing, ReplicationHistory.Property)
        );
        if (server.Persistence.Loading is { } status)
            status.Snapshot = loader.Progress;
        long start = Stopwatch.GetTimestamp();
        using ITimer report = server.Clock.Time.CreateTimer(_ => Report(path, loader.Progress), null, ReportPeriod, ReportPeriod);
        try
        {
            using FileStream file = RegularFile.OpenStreamOrPipe(path);
            RdbLoadResult result = loader.Load(file, cancel);
            if (server.Scripts.Functions.Restore(result.Functions) is { } problem)
            {
                throw new DataLoadException(
                    $"{path} has a library of functions that cannot be loaded: {problem}. Replace it with an intact copy, or move it away to start empty.",
                    innerException: null
                );
            }

            server.Persistence.Snapshots.LastLoad = result;
            server.Log.LogInformation(
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
        finally
        {
            server.Persistence.Loading?.EndSnapshot();
        }
    }

    /// <summary>The options for reading RDB files that follow from a server's settings.</summary>
    internal static RdbLoadOptions OptionsFor(
        RespServer server,
        bool keepsExpired,
        string? keepsExpiredWith = null,
        bool onlyChecks = false,
        bool intoPrepared = false
    )
    {
        GarnetOptions options = server.Configuration.Current;
        return new RdbLoadOptions
        {
            KeepsExpired = keepsExpired,
            KeepsExpiredWith = keepsExpiredWith,
            OnlyChecks = onlyChecks,
            IntoPrepared = intoPrepared,
            VerifiesChecksum = options.RdbChecksum && !server.Persistence.SkipsChecksums,
            TakesLaterVersions = options.RdbVersionCheck == RdbVersionCheck.Relaxed,
        };
    }

    private void NoteProgress(long read, long total)
    {
        if (server.Persistence.Loading is { } status)
            (status.LoadedBytes, status.TotalBytes) = (read, total);
    }

    private void Report(string path, RdbLoadProgress progress)
    {
        long total = Math.Max(1, progress.TotalBytes);
        server.Log.LogInformation(
            "Loading {Path}: {Percent:F0} % of {Bytes} bytes, {Keys} keys",
            path,
            100.0 * progress.LoadedBytes / total,
            total,
            progress.Keys
        );
    }
}
