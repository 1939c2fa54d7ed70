// A server's part in replication: the replicas that follow its stream, and the primary that it follows. Thread-safe; roles change while no
// command is running.
using Garnet.Engine.Clients;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Persistence.Effects;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Garnet.Server.Persistence;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>Says what the role and the replicas allow, and does for replicas what is due from time to time.</summary>
internal sealed class ServerReplication
{
    private const long MsPerSecond = 1000;

    private readonly ServerConfiguration _configuration;
    private readonly HybridLogStore _store;
    private readonly AppendOnly _appendOnly;
    private readonly ServerClock _clock;
    private readonly ILogger _log;
    private readonly Lock _raising = new();
    private volatile PrimaryLink? _primary;
    private volatile bool _hasGoodReplicas = true;
    private long _receivedBytes;
    private long _nextSecondMs;
    private long _pingedAtMs;
    private long _requestedAt = -1;
    private long _noReplicasSinceMs;

    /// <summary>Creates the replication of a server, which is a primary without replicas at first.</summary>
    public ServerReplication(
        ServerConfiguration configuration,
        EffectFeed effects,
        ServerPersistence persistence,
        ServerStatistics statistics,
        ServerIdentity identity,
        ServerClock clock,
        ILogger log
    )
    {
        _configuration = configuration;
        _store = persistence.Data.Store;
        _appendOnly = persistence.AppendOnly;
        _clock = clock;
        _log = log;
        Effects = effects;
        Effects.Restarted += OnRestarted;
        Sink = new StreamSink(_store.Changes, this, _appendOnly);
        Replicas = new ReplicaLinks(log, this, statistics, clock);
        Syncs = new FullSyncs(effects, Replicas, persistence, configuration, identity, log);
        foreach (
            string option in (string[])["min-replicas-to-write", "min-replicas-max-lag", "replica-read-only", "replica-serve-stale-data"]
        )
        {
            configuration.OnChange(option, _ => OnReplicasChanged());
        }

        OnReplicasChanged();
    }

    /// <summary>The stream, and whether effects are collected.</summary>
    public EffectFeed Effects { get; }

    /// <summary>Where the effects of clients go.</summary>
    public EffectSink Sink { get; }

    /// <summary>Which history of changes the positions in the stream belong to.</summary>
    public ReplicationHistory History => Effects.History;

    /// <summary>The replicas.</summary>
    public ReplicaLinks Replicas { get; }

    /// <summary>Snapshots for replicas.</summary>
    public FullSyncs Syncs { get; }

    /// <summary>The link to the primary; null on a primary. Set while no command is running.</summary>
    public PrimaryLink? Primary
    {
        get => _primary;
        internal set
        {
            _primary = value;
            // Before others go on: too few replicas may be up to date.
            OnReplicasChanged();
        }
    }

    /// <summary>Bytes received from primaries.</summary>
    public long ReceivedBytes => Volatile.Read(ref _receivedBytes);

    /// <summary>Whether the server is a replica.</summary>
    public bool IsReplica => _primary is not null;

    /// <summary>Whether too few replicas are up to date for writes.</summary>
    public bool LacksReplicas => _primary is null && !_hasGoodReplicas;

    /// <summary>Whether the data may be too old to be served.</summary>
    public bool IsStale => _primary is { State: not PrimaryLinkState.Connected } && !Options.ReplicaServeStaleData;

    private GarnetOptions Options => _configuration.Current;

    private EffectStream Stream => Effects.Stream;

    /// <summary>Makes sure that the stream is kept for replicas. Without latches.</summary>
    public void EnsureBacklog(StoreSession session)
    {
        if (Effects.IsReplicating)
            return;
        session.RunExclusive(() =>
        {
            if (Effects.IsReplicating)
                return;
            // What happened before was not in the stream.
            History.Change();
            Stream.ForgetDatabase();
            OnNoReplicas();
            Effects.IsReplicating = true;
        });
    }

    /// <summary>The link to the replica that a client turns out to be.</summary>
    public ReplicaLink NewLink(ClientSession client) => new(client, this, _configuration, _clock);

    /// <summary>Brings a replica from the files of the append-only log to the stream; null when they do not have its position.</summary>
    internal LogCatchUp? TryReadFiles(ReplicaLink link, long position) =>
        _appendOnly.Log?.TryRead(position) is { } files ? new LogCatchUp(files, Stream, link, _log) : null;

    /// <summary>The time without replicas begins now, after which the backlog is not needed.</summary>
    internal void OnNoReplicas() => _noReplicasSinceMs = NowMs;

    /// <summary>Asks all replicas to acknowledge what they have, unless they were asked since the last effect.</summary>
    public void RequestAcknowledgements()
    {
        if (IsReplica || Replicas.All.Length == 0 || Stream.Position == Volatile.Read(ref _requestedAt))
            return;
        Stream.AppendVerbatim("*3\r\n$8\r\nREPLCONF\r\n$6\r\nGETACK\r\n$1\r\n*\r\n"u8, isForLinks: true);
        Volatile.Write(ref _requestedAt, Stream.Position);
    }

    /// <summary>Counts bytes received from a primary.</summary>
    public void CountReceived(int bytes) => Interlocked.Add(ref _receivedBytes, bytes);

    /// <summary>Determines again what the role and the replicas allow.</summary>
    public void OnReplicasChanged()
    {
        // The last one to enter sees the last change.
        lock (_raising)
        {
            int wanted = Options.MinReplicasToWrite;
            long maxLag = Options.MinReplicasMaxLagSeconds;
            _hasGoodReplicas = wanted == 0 || maxLag == 0 || Replicas.CountGood(NowMs, maxLag) >= wanted;
            Raise();
        }
    }

    /// <summary>Does what is due. Called by the clock, some times a second.</summary>
    /// <param name="mayPing">Whether the stream may get a PING, which moves its end.</param>
    public void Tick(bool mayPing)
    {
        long now = NowMs;
        Syncs.Tick(now);
        _primary?.Tick(now);
        _primary?.OwnKeys.Tick();
        OnLogEnd();
        if (Effects.HasLost)
            BreakHistory();
        if (now < _nextSecondMs)
            return;
        _nextSecondMs = now + MsPerSecond;
        GarnetOptions options = Options;
        Replicas.Tick(now, options.ReplicationTimeoutSeconds);
        OnReplicasChanged();
        bool isPingDue = now - _pingedAtMs >= options.ReplicationPingSeconds * MsPerSecond;
        if (!IsReplica && Replicas.All.Length > 0 && isPingDue && mayPing)
        {
            _pingedAtMs = now;
            Stream.AppendVerbatim("*1\r\n$4\r\nPING\r\n"u8, isForLinks: true);
        }

        EndBacklogIfUnused(now, options.ReplicationBacklogTtlSeconds);
    }

    private long NowMs => _clock.SteadyMs;

    // WAITAOF cannot wait for a log that was switched off.
    private void OnLogEnd()
    {
        if (Replicas.WaitingForLog > 0 && _appendOnly.Log is null)
            Replicas.OnAcknowledged();
    }

    // What was replicated and logged may not lead to the present data: no one may continue from there.
    private void BreakHistory()
    {
        Effects.HasLost = false;
        if (IsReplica)
            return;
        _log.LogError("A command failed in the middle of its changes: replicas synchronize anew, and the log is rewritten");
        using (StoreSession session = _store.OpenSession())
        {
            session.RunExclusive(() =>
            {
                History.Change();
                Stream.ForgetDatabase();
            });
        }

        Replicas.CloseAll();
        _appendOnly.ScheduleRewrite();
    }

    // The primary, if there is one, may continue what was loaded.
    private void OnRestarted()
    {
        Replicas.ForgetNewEffects();
        OnNoReplicas();
        if (_primary is not { } primary)
            return;
        primary.OwnKeys.Clear();
        primary.MayContinue = true;
    }

    // A link that is down is not told here: the gate of stale data asks for it on every replica.
    private void Raise()
    {
        _store.Conditions.Set((uint)(GateMask.Redirect | GateMask.ReadOnly | GateMask.Stale), IsReplica);
        _store.Conditions.Set((uint)GateMask.Replicas, LacksReplicas);
    }

    // Without replicas for long, effects need not be collected any more; the positions then mean nothing.
    private void EndBacklogIfUnused(long now, long seconds)
    {
        if (IsReplica || !Effects.IsReplicating || Replicas.All.Length > 0)
        {
            _noReplicasSinceMs = now;
            return;
        }

        if (seconds == 0 || now - _noReplicasSinceMs <= seconds * MsPerSecond)
            return;
        using StoreSession session = _store.OpenSession();
        session.RunExclusive(() =>
        {
            if (IsReplica || Replicas.All.Length > 0)
                return;
            History.Change();
            Effects.IsReplicating = false;
        });
        _log.LogInformation("There were no replicas for {Seconds} seconds: the backlog is released", seconds);
    }
}
