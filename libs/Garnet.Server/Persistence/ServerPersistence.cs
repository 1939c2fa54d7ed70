// What one server has to do with files: locks, snapshots, the append-only log, loading, the last save. Thread-safe.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Server.CommandModel;
using Garnet.Server.Configuration;
using Garnet.Server.Execution;
using Garnet.Server.Replication;
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.Server.Persistence;

/// <summary>The parts that load and save a server's data, and whether that keeps clients from writing.</summary>
internal sealed class ServerPersistence : IDisposable
{
    private readonly ServerConfiguration _configuration;
    private readonly Conditions _conditions;
    private readonly Lock _raising = new();
    private bool _skipsChecksums;
    private LoadingStatus? _loading;

    /// <summary>Creates the parts; nothing is read or written yet.</summary>
    /// <param name="server">The server, whose options, store, clock, logger, activities and scripts are set.</param>
    /// <param name="disk">The disk for files; the system's file system when null.</param>
    /// <param name="folders">Creates the append-only log's folder from a path; the file system's when null.</param>
    public ServerPersistence(RespServer server, IDisk? disk, Func<string, ILogFolder>? folders)
    {
        disk ??= SystemDisk.Instance;
        _configuration = server.Configuration;
        _conditions = server.Store.Conditions;
        Locks = new DataLocks(server.Configuration, disk, server.Log);
        Snapshots = new SnapshotKeeper(
            server.Store,
            server.Configuration,
            disk,
            Locks,
            server.Clock.Time,
            server.Log,
            server.Activities,
            server.Scripts.Functions,
            ChangeGates
        )
        {
            AtFlip = server.Effects.SnapshotProperties,
        };
        FinalSave = new FinalSave(
            this,
            server.Configuration,
            server.Clients.Pause,
            server.Clock,
            new LastEffects(server.Configuration, server.Replication, server.Clock, server.Store, server.Log),
            server.Log
        );
        AppendOnly = new AppendOnly(server, folders);
    }

    /// <summary>The locks on writing the data files.</summary>
    public DataLocks Locks { get; }

    /// <summary>Snapshots on disk.</summary>
    public SnapshotKeeper Snapshots { get; }

    /// <summary>The append-only log.</summary>
    public AppendOnly AppendOnly { get; }

    /// <summary>The last snapshot before the server ends.</summary>
    public FinalSave FinalSave { get; }

    /// <summary>Whether checksums of payloads and snapshots are ignored (DEBUG SET-SKIP-CHECKSUM-VALIDATION).</summary>
    public bool SkipsChecksums
    {
        get => Volatile.Read(ref _skipsChecksums);
        set => Volatile.Write(ref _skipsChecksums, value);
    }

    /// <summary>The current loading, or null: most commands are rejected meanwhile, unless it is beside the present data.</summary>
    public LoadingStatus? Loading
    {
        get => Volatile.Read(ref _loading);
        set
        {
            if (value is not null)
                Raise(GateMask.Loading, isRaised: true);
            Volatile.Write(ref _loading, value);
            if (value is null)
                Raise(GateMask.Loading, isRaised: false);
        }
    }

    /// <summary>Whether data is being loaded.</summary>
    public bool IsLoading => Loading is not null;

    /// <summary>Whether data is served: nothing is being loaded, or it is loaded beside the present data.</summary>
    public bool HasData => Loading is null or { IsAsync: true };

    /// <summary>Why writes (and PING) are refused now, if they are.</summary>
    public Refusal WriteRefusal =>
        Snapshots.IsDenyingWrites ? new Refusal(RefusalKind.SnapshotFailed)
        : AppendOnly.DenyingProblem is { } problem ? new Refusal(RefusalKind.LogFailed, problem)
        : default;

    /// <summary>
    /// Changes what the gates of saving ask: while there is a log, whether it has space is asked before each write, and whether it has
    /// failed. They are raised before the change, as for each gate, and lowered after it if nothing is left to ask.
    /// </summary>
    internal void ChangeGates(Action change)
    {
        // Also called while the parts are being made.
        lock (_raising)
        {
            Raise(GateMask.LogSpace | GateMask.Saved, isRaised: true);
            change();
            Raise(GateMask.LogSpace, AppendOnly?.Log is not null);
            Raise(GateMask.Saved, AppendOnly?.IsOn == true || Snapshots.HasFailed);
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
