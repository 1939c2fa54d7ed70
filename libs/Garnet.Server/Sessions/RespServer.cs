// One server: its store, commands, clients and statistics. Thread-safe; connections are passed to ServeAsync.
using System.Diagnostics;
using System.IO.Pipelines;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Server.Blocking;
using Garnet.Server.CommandModel;
using Garnet.Server.Configuration;
using Garnet.Server.Eviction;
using Garnet.Server.Messaging;
using Garnet.Server.Persistence;
using Garnet.Server.Statistics;
using Garnet.Store;
using Garnet.Store.DataTypes;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Sessions;

/// <summary>Serves RESP clients over pipes; does not use sockets.</summary>
internal sealed class RespServer : IDisposable
{
    private readonly BatchContextPool _batches;
    private readonly ITimer _clock;
    private bool _skipsChecksums;
    private LoadingStatus? _loading;

    // Made when a password is first compared: the cryptography library takes time and memory at a start that needs neither.
    private PasswordDigest? _password;
    private long _lastClientId;
    private long _nowMs;

    /// <summary>Creates a server for a store. The caller owns the store.</summary>
    /// <param name="configuration">The options.</param>
    /// <param name="store">The data.</param>
    /// <param name="time">The clock.</param>
    /// <param name="loggers">For log messages.</param>
    /// <param name="disk">The disk for files; the system's file system when null.</param>
    /// <param name="folders">Creates the append-only log's folder from a path; the file system's when null.</param>
    /// <param name="extensions">Commands and types to add; none when null.</param>
    public RespServer(
        ServerConfiguration configuration,
        HybridLogStore store,
        TimeProvider time,
        ILoggerFactory loggers,
        IDisk? disk = null,
        Func<string, ILogFolder>? folders = null,
        ServerExtensions? extensions = null
    )
    {
        Configuration = configuration;
        Store = store;
        CollectionLimitOptions.Bind(configuration, store);
        EvictionOptions.Bind(configuration, store);
        Time = time;
        store.HoldsExpired = () => Pause.MayBeActive && Pause.IsActive(time.GetUtcNow().ToUnixTimeMilliseconds());
        Log = loggers.CreateLogger("Garnet.Server");
        Commands = new CommandTable([.. CommandFamilies.All, .. extensions?.Commands ?? []]);
        foreach (CustomType type in extensions?.Types ?? [])
            store.Types.Add(type);
        _batches = new BatchContextPool(Commands.IdCount);
        Activities = new ServerActivities(RunId);
        Messages = new MessageHub(this);
        CommandLogs = new CommandLogs(configuration, Activities);
        Disk = disk ?? SystemDisk.Instance;
        Locks = new DataLocks(configuration, Disk, Log);
        Snapshots = new SnapshotKeeper(store, configuration, Disk, Locks, time, Log, Activities);
        FinalSave = new FinalSave(this);
        AppendOnly = new AppendOnly(this, folders);
        Memory = new MemoryAccount(this);
        ClientEviction = new ClientEviction(this);
        Unauthenticated = new UnauthenticatedMemory(this);
        StartedMs = _nowMs = time.GetUtcNow().ToUnixTimeMilliseconds();
        _clock = time.CreateTimer(static state => ((RespServer)state!).Tick(), this, TickPeriod, TickPeriod);
    }

    /// <summary>How many times per second the server checks idle clients, rates and limits.</summary>
    public const int TicksPerSecond = 10;

    private static TimeSpan TickPeriod => TimeSpan.FromMilliseconds(1000 / TicksPerSecond);

    /// <summary>The current options.</summary>
    public ServerConfiguration Configuration { get; }

    /// <summary>The data.</summary>
    public HybridLogStore Store { get; }

    /// <summary>The clock.</summary>
    public TimeProvider Time { get; }

    /// <summary>The log.</summary>
    public ILogger Log { get; }

    /// <summary>All commands.</summary>
    public CommandTable Commands { get; }

    /// <summary>Connected clients.</summary>
    public ClientRegistry Clients { get; } = new();

    /// <summary>Connections that are no clients any more and still have replies to be sent.</summary>
    public LeavingConnections Leaving { get; } = new();

    /// <summary>Clients blocked on keys.</summary>
    public BlockedClients Blocked { get; } = new();

    /// <summary>The logs of slow and large commands.</summary>
    public CommandLogs CommandLogs { get; }

    /// <summary>Memory use by component.</summary>
    public MemoryAccount Memory { get; }

    /// <summary>Closes clients that use too much memory.</summary>
    internal ClientEviction ClientEviction { get; }

    /// <summary>Limits the memory of clients that have not authenticated yet.</summary>
    internal UnauthenticatedMemory Unauthenticated { get; }

    /// <summary>Clients in monitor mode.</summary>
    public MonitorFeed Monitors { get; } = new();

    /// <summary>Publish and subscribe.</summary>
    public MessageHub Messages { get; }

    /// <summary>CLIENT PAUSE.</summary>
    public ClientPause Pause { get; } = new();

    /// <summary>The disk for files.</summary>
    public IDisk Disk { get; }

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

    /// <summary>The current loading, or null: most commands are rejected meanwhile.</summary>
    public LoadingStatus? Loading
    {
        get => Volatile.Read(ref _loading);
        set => Volatile.Write(ref _loading, value);
    }

    /// <summary>Whether data is being loaded.</summary>
    public bool IsLoading => Loading is not null;

    /// <summary>Why writes (and PING) are rejected now; empty when they are not.</summary>
    public ReadOnlySpan<byte> WriteDenial => Snapshots.IsDenyingWrites ? ErrorText.SnapshotFailed : AppendOnly.WriteDenial;

    /// <summary>
    /// Size from which a request or a transaction is rejected, because its effects could not be propagated; lower in tests.
    /// </summary>
    internal long MaxEffectBytes { get; set; } = EffectBuffer.MaxRequestBytes;

    /// <summary>Counters of the server as a whole.</summary>
    public ServerStatistics Statistics { get; } = new();

    /// <summary>Activities of the server other than commands, for tracing.</summary>
    public ServerActivities Activities { get; }

    /// <summary>Forty random hexadecimal digits, new at each start.</summary>
    public string RunId { get; } = Convert.ToHexStringLower(SecureRandom.Bytes(20));

    /// <summary>Identifies this server's history of changes; new at each start and on request by DEBUG.</summary>
    public string ReplicationId { get; private set; } = NewReplicationId();

    /// <summary>Unix milliseconds of the start.</summary>
    public long StartedMs { get; }

    /// <summary>Unix milliseconds with a resolution of about a tenth of a second; use <see cref="Time"/> for exact times.</summary>
    public long NowMs => Volatile.Read(ref _nowMs);

    /// <summary>True when the default user has a password.</summary>
    public bool RequiresPassword => Configuration.Current.Password.Length > 0;

    /// <summary>The default user's password.</summary>
    internal PasswordDigest Password
    {
        get
        {
            string text = Configuration.Current.Password;
            PasswordDigest? known = Volatile.Read(ref _password);
            if (known is not null && known.IsOf(text))
                return known;
            PasswordDigest changed = new(text);
            Volatile.Write(ref _password, changed);
            return changed;
        }
    }

    /// <summary>Brings values into memory that are elsewhere; null when all are here. Set it before sessions run.</summary>
    internal IValueSource? ValueSource { get; set; }

    /// <summary>Raised when a client asks the server to stop (SHUTDOWN); the host drains connections and ends.</summary>
    public event Action? ShutdownRequested;

    /// <summary>Commands executed since the statistics were reset.</summary>
    public long CommandsProcessed => _batches.All.Sum(static batch => batch.CommandsProcessed);

    internal IEnumerable<BatchContext> BatchContexts => _batches.All;

    internal BatchContext CurrentBatch => _batches.Current;

    /// <summary>Serves one connection until it ends. The pipe is completed on return.</summary>
    public async Task ServeAsync(IDuplexPipe pipe, IClientConnection connection)
    {
        ClientSession client = new(this, connection, Interlocked.Increment(ref _lastClientId));
        RespSession session = new(client, pipe);
        client.Session = session;
        if (!await session.TryAdmitAsync().ConfigureAwait(false))
        {
            Leaving.Add(connection);
            return;
        }

        try
        {
            await session.RunAsync().ConfigureAwait(false);
        }
        finally
        {
            // In this order, so that it is never in neither place.
            Leaving.Add(connection);
            Clients.Remove(client);
            client.Dispose();
        }
    }

    /// <summary>Asks the host to stop the server.</summary>
    public void RequestShutdown() => ShutdownRequested?.Invoke();

    /// <summary>Resets statistics (CONFIG RESETSTAT).</summary>
    public void ResetStatistics()
    {
        foreach (BatchContext batch in _batches.All)
            batch.ResetStatistics();
        Statistics.Reset();
        Store.Statistics.Reset();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _clock.Dispose();
        AppendOnly.Dispose();
        Snapshots.Dispose();
        Locks.Dispose();
        _batches.Dispose();
        Activities.Dispose();
    }

    private void Tick()
    {
        Volatile.Write(ref _nowMs, Time.GetUtcNow().ToUnixTimeMilliseconds());
        Statistics.Sample(_batches.All, Stopwatch.GetTimestamp());
        // Keys also disappear without a command, by expiry.
        ServeBlocked();
        Memory.Settle();
        ClientEviction.Run(Configuration.Current);
        Clients.EndIdle(NowMs, Configuration.Current.TimeoutSeconds);
        // The data loaded so far must not replace the file it comes from.
        if (!IsLoading)
            Snapshots.Tick();
        AppendOnly.Tick();
        Clients.EndSlowReaders(NowMs, Configuration.Current.ClientOutputBufferLimits);
    }

    /// <summary>Creates a new identifier for the history of changes. Any thread.</summary>
    internal void ChangeReplicationId() => ReplicationId = NewReplicationId();

    /// <summary>Serves blocked commands whose keys have changed; called outside of any batch.</summary>
    internal void ServeBlocked()
    {
        if (!Blocked.HasReady)
            return;
        CurrentBatch.BeginBatch(1, this);
        Blocked.ServeReady(null);
    }

    /// <summary>Lets one blocked command check its keys once more; called outside of any batch.</summary>
    internal void ServeBlocked(BlockedCommand command)
    {
        if (!command.TryClaim())
            return;
        CurrentBatch.BeginBatch(1, this);
        command.RetryAll();
    }

    private static string NewReplicationId() => Convert.ToHexStringLower(SecureRandom.Bytes(20));
}
