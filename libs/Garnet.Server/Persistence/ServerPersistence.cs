// What one server has to do with files: locks, snapshots, the append-only log, loading, the last save. Thread-safe.
using Garnet.Engine.Clients;
using Garnet.Engine.Rules;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>The parts that load and save a server's data, and whether that keeps clients from writing.</summary>
internal sealed class ServerPersistence : IDisposable
{
    private readonly Conditions _conditions;
    private readonly LogPresence _presence;
    private readonly Lock _raising = new();

    /// <summary>Creates the parts; nothing is read or written yet.</summary>
    /// <param name="configuration">The options.</param>
    /// <param name="data">The data.</param>
    /// <param name="effects">What the log follows.</param>
    /// <param name="loading">Whether data is being loaded.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="activities">For tracing.</param>
    /// <param name="log">For log messages.</param>
    /// <param name="disk">The disk for files; the system's file system when null.</param>
    /// <param name="folders">Creates the append-only log's folder from a path; the file system's when null.</param>
    public ServerPersistence(
        ServerConfiguration configuration,
        Dataset data,
        EffectFeed effects,
        LoadingState loading,
        ServerClock clock,
        ServerActivities activities,
        ILogger log,
        IDisk? disk,
        Func<string, ILogFolder>? folders
    )
    {
        disk ??= SystemDisk.Instance;
        folders ??= static path => new LogFolder(path);
        Data = data;
        _conditions = data.Store.Conditions;
        _presence = new LogPresence(ChangeGates);
        LoadingState = loading;
        Locks = new DataLocks(configuration, disk, log);
        Reader = new SnapshotReader(configuration, data, loading, clock, log);
        Snapshots = new SnapshotKeeper(data, effects, configuration, disk, Locks, clock.Time, log, activities, ChangeGates);
        LogOpener opener = new(configuration, data.Store, effects, Locks, _presence, folders, log);
        RewriteStatistics rewrites = new(clock, activities);
        AppendOnly = new AppendOnly(configuration, data, effects, Snapshots, loading, opener, rewrites, log);
    }

    /// <summary>What is saved and loaded.</summary>
    public Dataset Data { get; }

    /// <summary>The locks on writing the data files.</summary>
    public DataLocks Locks { get; }

    /// <summary>Reads snapshots.</summary>
    public SnapshotReader Reader { get; }

    /// <summary>Saves snapshots.</summary>
    public SnapshotKeeper Snapshots { get; }

    /// <summary>The append-only log.</summary>
    public AppendOnly AppendOnly { get; }

    /// <summary>Whether data is being loaded.</summary>
    public LoadingState LoadingState { get; }

    /// <inheritdoc cref="SnapshotReader.SkipsChecksums"/>
    public bool SkipsChecksums
    {
        get => Reader.SkipsChecksums;
        set => Reader.SkipsChecksums = value;
    }

    /// <inheritdoc cref="LoadingState.Current"/>
    public LoadingStatus? Loading
    {
        get => LoadingState.Current;
        set => LoadingState.Current = value;
    }

    /// <summary>Whether data is being loaded.</summary>
    public bool IsLoading => LoadingState.IsOn;

    /// <summary>Why writes (and PING) are refused now, if they are.</summary>
    public Refusal WriteRefusal =>
        Snapshots.IsDenyingWrites ? new Refusal(RefusalKind.SnapshotFailed)
        : AppendOnly.DenyingProblem is { } problem ? new Refusal(RefusalKind.LogFailed, problem)
        : default;

    /// <summary>
    /// Changes what the gates of saving ask: while there is a log, whether it has space is asked before each write, and whether it has
    /// failed. They are raised before the change, as for each gate, and lowered after it if nothing is left to ask.
    /// </summary>
    private void ChangeGates(Action change)
    {
        lock (_raising)
        {
            Raise(GateMask.LogSpace | GateMask.Saved, isRaised: true);
            change();
            Raise(GateMask.LogSpace, _presence.Log is not null);
            Raise(GateMask.Saved, _presence.IsAny || Snapshots.HasFailed);
        }
    }

    private void Raise(GateMask gates, bool isRaised) => _conditions.Set((uint)gates, isRaised);

    /// <summary>Starts what is due; called by the server's clock.</summary>
    internal void Tick()
    {
        // The data loaded so far must not replace the file it comes from.
        if (!IsLoading)
            Snapshots.Tick();
        AppendOnly.Tick();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        AppendOnly.Dispose();
        Snapshots.Dispose();
        Locks.Dispose();
    }
}
