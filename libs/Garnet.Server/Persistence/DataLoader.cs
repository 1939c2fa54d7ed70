// Loads the data at the start of a server. Run once, by the thread that starts the server; clients get LOADING errors meanwhile.
using System.Diagnostics;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Garnet.Server.Scripting;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>Reads the append-only log if it is enabled, else the snapshot file, and reports progress.</summary>
internal sealed class DataLoader(
    ServerConfiguration configuration,
    ServerPersistence persistence,
    LogLoader logs,
    EffectFeed effects,
    ServerScripts scripts,
    ServerActivities activities,
    ILogger log
)
{
    /// <summary>Loads logs.</summary>
    public LogLoader Logs => logs;

    /// <summary>Whether there is anything to load.</summary>
    public bool HasData => configuration.Current.AppendOnly || Path.Exists(persistence.Snapshots.Path);

    /// <summary>
    /// Logs a warning if append-only files exist that are not loaded because appendonly is no: a user migrating from another server would
    /// believe the data lost.
    /// </summary>
    public void WarnOfUnread()
    {
        GarnetOptions options = configuration.Current;
        string folder = Path.Combine(options.Dir, options.AppendDirName);
        string single = Path.Combine(options.Dir, options.AppendFileName);
        if (options.AppendOnly)
            return;
        if (Directory.Exists(folder) && Directory.EnumerateFiles(folder, options.AppendFileName + ".*").Any())
            log.LogWarning("The append-only files in {Folder} are not loaded, because appendonly is no", folder);
        else if (File.Exists(single))
            log.LogWarning("The append-only file {File} and its data are not loaded, because appendonly is no", single);
    }

    /// <summary>From here until <see cref="Load"/> returns, clients get LOADING errors.</summary>
    public void Announce() => persistence.LoadingState.Begin();

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
        bool isLog = configuration.Current.AppendOnly;
        if (isLog)
            persistence.AppendOnly.Load(logs, OnProgress);
        else
            effects.Restore(persistence.Reader.LoadFile(persistence.Snapshots.Path, keepsExpired: effects.IsFollowing, cancel).Aux);
        persistence.Snapshots.OnLoaded();
        functions.Load(scripts, effects, persistence.Data.Store, log);
        persistence.LoadingState.End();
        activities.Record(
            "garnet.load",
            Stopwatch.GetElapsedTime(start),
            null,
            new KeyValuePair<string, object?>("garnet.source", isLog ? "aof" : "rdb")
        );
    }

    private void OnProgress(long read, long total)
    {
        if (persistence.Loading is { } status)
            (status.LoadedBytes, status.TotalBytes) = (read, total);
    }
}
