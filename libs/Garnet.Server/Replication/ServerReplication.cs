// A server's role: the stream of effects, the replicas that follow it, and the primary that it follows. Thread-safe; roles change while no
// command is running.
using System.Buffers;
using System.Globalization;
using Garnet.Persistence.Effects;
using Garnet.Server.CommandModel;
using Garnet.Server.Effects;
using Garnet.Server.Execution;
using Garnet.Server.Persistence;
using Garnet.Server.Sessions;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>Puts the parts of replication together, changes the role, and does what is due from time to time.</summary>
internal sealed class ServerReplication : IDisposable
{
    private const long MsPerSecond = 1000;

    // Of names, addresses and paths of sockets.
    private static readonly SearchValues<char> HostCharacters = SearchValues.Create(
        "%-./0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
    );

    private readonly RespServer _server;
    private readonly IServerConnector? _connector;
    private readonly Lock _raising = new();
    private volatile PrimaryLink? _primary;
    private volatile bool _hasGoodReplicas = true;
    private long _receivedBytes;
    private long _nextSecondMs;
    private long _pingedAtMs;
    private long _requestedAt = -1;
    private long _noReplicasSinceMs;

    /// <summary>Creates the replication of a server, which is a primary without replicas at first.</summary>
    public ServerReplication(RespServer server, IServerConnector? connector)
    {
        _server = server;
        _connector = connector;
        Effects = server.Effects;
        Effects.Restarted += OnRestarted;
        Sink = new StreamSink(server.Store.Changes, this);
        Replicas = new ReplicaLinks(server.Log, this, server.Statistics, server.Clock);
        Syncs = new FullSyncs(server);
        Failover = new Failover(server.Clients, this, server.Store, server.Clock, server.Log);
        foreach (
            string option in (string[])["min-replicas-to-write", "min-replicas-max-lag", "replica-read-only", "replica-serve-stale-data"]
        )
        {
            server.Configuration.OnChange(option, _ => NoteReplicasChanged());
        }

        NoteReplicasChanged();
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

    /// <summary>FAILOVER.</summary>
    public Failover Failover { get; }

    /// <summary>The link to the primary; null on a primary.</summary>
    public PrimaryLink? Primary => _primary;

    /// <summary>Bytes received from primaries.</summary>
    public long ReceivedBytes => Volatile.Read(ref _receivedBytes);

    /// <summary>Whether the server is a replica.</summary>
    public bool IsReplica => _primary is not null;

    /// <summary>Whether too few replicas are up to date for writes.</summary>
    public bool LacksReplicas => _primary is null && !_hasGoodReplicas;

    /// <summary>Whether the data may be too old to be served.</summary>
    public bool IsStale => _primary is { State: not PrimaryLinkState.Connected } && !Options.ReplicaServeStaleData;

    private GarnetOptions Options => _server.Configuration.Current;

    private EffectStream Stream => Effects.Stream;

    /// <summary>
    /// Becomes a replica, without connecting yet: for the start of a server, before anything is served.
    /// </summary>
    public void Prepare()
    {
        if (TryParsePrimary(Options.ReplicaOf, out string host, out int port))
            Assign(new PrimaryLink(_server, _connector, host, port) { OwnKeys = new OwnKeys(_server.Store) });
    }

    /// <summary>Connects to the primary of <see cref="Prepare"/>, once the data is loaded.</summary>
    public void Start() => _primary?.Start(after: Task.CompletedTask);

    /// <summary>
    /// Makes the server a replica; false when it already follows that primary, or may not hand its role over. Without latches; changes of
    /// the role exclude each other by the store's barrier.
    /// </summary>
    /// <param name="session">Any session.</param>
    /// <param name="host">The primary's host.</param>
    /// <param name="port">The primary's port.</param>
    /// <param name="mayHandOver">
    /// For a failover, in which the primary is asked to take the role over: whether it may, asked while no command is running.
    /// </param>
    public bool Follow(StoreSession session, string host, int port, Func<bool>? mayHandOver = null)
    {
        bool asksForFailover = mayHandOver is not null;
        PrimaryLink? former = null;
        PrimaryLink? link = null;
        session.RunExclusive(() =>
        {
            former = _primary;
            if ((former is not null && former.IsTo(host, port)) || mayHandOver?.Invoke() == false)
                return;
            former?.Stop();
            // Its own history, or that of the former primary, may be one that the new primary continues.
            link = new PrimaryLink(_server, _connector, host, port)
            {
                OwnKeys = former?.OwnKeys ?? new OwnKeys(_server.Store),
                MayContinue = former?.MayContinue ?? Effects.IsReplicating,
                AsksForFailover = asksForFailover,
            };
            Assign(link);
        });
        if (link is null)
            return false;
        Replicas.CloseAll();
        // Those whose server may become a primary again wait on.
        if (!asksForFailover)
            Failover.ReleaseBlocked();
        _server.Configuration.NotePrimary(string.Create(CultureInfo.InvariantCulture, $"{host} {port}"));
        link.Start(former?.Ended ?? Task.CompletedTask);
        _server.Log.LogInformation("This server is now a replica of {Host}:{Port}", host, port);
        return true;
    }

    /// <summary>Makes the server a primary; false when it is one. Without latches.</summary>
    public bool Promote(StoreSession session)
    {
        bool isChanged = false;
        session.RunExclusive(() =>
        {
            if (_primary is not { } former)
                return;
            former.Stop();
            History.Branch(Stream.Position);
            _primary = null;
            // Before others go on: too few replicas may be up to date.
            NoteReplicasChanged();
            Effects.IsFollowing = false;
            // Replicas have seen no SELECT of this server.
            Stream.ForgetDatabase();
            _server.Store.Budget.MaxBytes = Options.MaxMemoryBytes;
            _noReplicasSinceMs = NowMs;
            isChanged = true;
        });
        if (!isChanged)
            return false;
        Replicas.CloseAll();
        NoteReplicasChanged();
        _server.Configuration.NotePrimary("");
        _server.Log.LogInformation("This server is now a primary; its history is {Id}, after {SecondId}", History.Id, History.SecondId);
        return true;
    }

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
            _noReplicasSinceMs = NowMs;
            Effects.IsReplicating = true;
        });
    }

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
    public void NoteReplicasChanged()
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
    public void Tick()
    {
        long now = NowMs;
        Syncs.Tick(now);
        _primary?.Tick(now);
        Failover.Tick(now);
        _primary?.OwnKeys.Tick();
        NoteLogEnd();
        if (Effects.HasLost)
            BreakHistory();
        if (now < _nextSecondMs)
            return;
        _nextSecondMs = now + MsPerSecond;
        GarnetOptions options = Options;
        Replicas.Tick(now, options.ReplicationTimeoutSeconds);
        NoteReplicasChanged();
        bool isPingDue = now - _pingedAtMs >= options.ReplicationPingSeconds * MsPerSecond;
        if (!IsReplica && Replicas.All.Length > 0 && isPingDue && !Failover.IsUnderWay)
        {
            _pingedAtMs = now;
            Stream.AppendVerbatim("*1\r\n$4\r\nPING\r\n"u8, isForLinks: true);
        }

        EndBacklogIfUnused(now, options.ReplicationBacklogTtlSeconds);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_primary is not { } primary)
            return;
        primary.Stop();
        primary.Ended.GetAwaiter().GetResult();
    }

    /// <summary>Parses <c>host port</c>; false for anything else.</summary>
    internal static bool TryParsePrimary(string text, out string host, out int port)
    {
        string[] words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        host = words.Length == 2 ? words[0] : "";
        port = 0;
        return words.Length == 2
            && !host.AsSpan().ContainsAnyExcept(HostCharacters)
            && int.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out port)
            && port is >= 0 and <= ushort.MaxValue;
    }

    private long NowMs => _server.Clock.SteadyMs;

    // WAITAOF cannot wait for a log that was switched off.
    private void NoteLogEnd()
    {
        if (Replicas.WaitingForLog > 0 && _server.Persistence.AppendOnly.Log is null)
            Replicas.NoteAcknowledgement();
    }

    // What was replicated and logged may not lead to the present data: nobody may continue from there.
    private void BreakHistory()
    {
        Effects.HasLost = false;
        if (IsReplica)
            return;
        _server.Log.LogError("A command failed in the middle of its changes: replicas synchronize anew, and the log is rewritten");
        using (StoreSession session = _server.Store.OpenSession())
        {
            session.RunExclusive(() =>
            {
                History.Change();
                Stream.ForgetDatabase();
            });
        }

        Replicas.CloseAll();
        _server.Persistence.AppendOnly.ScheduleRewrite();
    }

    // The primary, if there is one, may continue what was loaded.
    private void OnRestarted()
    {
        Replicas.ForgetNewEffects();
        _noReplicasSinceMs = NowMs;
        if (_primary is not { } primary)
            return;
        primary.OwnKeys.Clear();
        primary.MayContinue = true;
    }

    private void Assign(PrimaryLink link)
    {
        _primary = link;
        Effects.IsFollowing = true;
        if (Options.ReplicaIgnoreMaxMemory)
            _server.Store.Budget.MaxBytes = 0;
        NoteReplicasChanged();
    }

    // A link that is down is not told here: the gate of stale data asks for it on every replica.
    private void Raise()
    {
        _server.Store.Conditions.Set((uint)(GateMask.Redirect | GateMask.ReadOnly | GateMask.Stale), IsReplica);
        _server.Store.Conditions.Set((uint)GateMask.Replicas, LacksReplicas);
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
        using StoreSession session = _server.Store.OpenSession();
        session.RunExclusive(() =>
        {
            if (IsReplica || Replicas.All.Length > 0)
                return;
            History.Change();
            Effects.IsReplicating = false;
        });
        _server.Log.LogInformation("There were no replicas for {Seconds} seconds: the backlog is released", seconds);
    }
}
