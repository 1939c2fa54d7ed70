// The replicas of one server. Thread-safe; the array is replaced, never changed.
using Garnet.Engine.Clients;
using Garnet.Engine.Counters;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>Finds links for commands and statistics, counts the replicas that are up to date, and lets WAIT wait for them.</summary>
internal sealed class ReplicaLinks(ILogger log, ServerReplication replication, ServerStatistics statistics, ServerClock clock)
{
    private const long MsPerSecond = 1000;

    private readonly Lock _gate = new();
    private volatile ReplicaLink[] _all = [];
    private volatile TaskCompletionSource _acknowledged = NewSignal();
    private long _sentBytes;
    private long _fullSyncs;
    private long _partialSyncs;
    private long _refusedPartialSyncs;
    private int _waitingForLog;
    private long _newEffectsEnd;

    /// <summary>All links.</summary>
    public ReplicaLink[] All => _all;

    /// <summary>Bytes sent to replicas.</summary>
    public long SentBytes => Volatile.Read(ref _sentBytes);

    /// <summary>Full synchronizations requested.</summary>
    public long FullSyncs => Volatile.Read(ref _fullSyncs);

    /// <summary>Synchronizations that continued at a position.</summary>
    public long PartialSyncs => Volatile.Read(ref _partialSyncs);

    /// <summary>Requests to continue that became full synchronizations.</summary>
    public long RefusedPartialSyncs => Volatile.Read(ref _refusedPartialSyncs);

    /// <summary>Clients that wait for this server's own log (WAITAOF).</summary>
    public int WaitingForLog => Volatile.Read(ref _waitingForLog);

    /// <summary>Replicas that receive the stream.</summary>
    public int OnlineCount => _all.Count(static link => link.State == ReplicaLinkState.Online);

    /// <summary>Completes at the next acknowledgement, or when a replica leaves.</summary>
    public Task NextChange => _acknowledged.Task;

    /// <summary>Adds a link once.</summary>
    public void Add(ReplicaLink link)
    {
        lock (_gate)
        {
            if (!_all.Contains(link))
                _all = [.. _all, link];
        }
    }

    /// <summary>Removes a link whose connection has ended.</summary>
    public void Remove(ReplicaLink link)
    {
        lock (_gate)
        {
            if (!_all.Contains(link))
                return;
            _all = [.. _all.Where(each => each != link)];
        }

        log.LogInformation("Connection with replica {Address}:{Port} lost", link.Address, link.Properties.Port);
        replication.OnReplicasChanged();
        OnAcknowledged();
    }

    /// <summary>Disconnects all, so that they ask again.</summary>
    public void CloseAll()
    {
        foreach (ReplicaLink link in _all)
            link.Client.End.Force();
    }

    /// <summary>The number of replicas up to date within a time.</summary>
    public int CountGood(long nowMs, long maxLagSeconds) =>
        _all.Count(link => link.State == ReplicaLinkState.Online && nowMs - link.AcknowledgedAtMs <= (maxLagSeconds + 1) * MsPerSecond - 1);

    /// <summary>The number of replicas that have acknowledged a position.</summary>
    public int CountAcknowledged(long position, bool isDurable) =>
        _all.Count(link => link.State == ReplicaLinkState.Online && (isDurable ? link.AcknowledgedDurable : link.Acknowledged) >= position);

    /// <summary>A client begins, or ends, to wait for the log.</summary>
    public void CountWaitingForLog(int change) => Interlocked.Add(ref _waitingForLog, change);

    /// <summary>A replica has acknowledged something.</summary>
    public void OnAcknowledged() => Interlocked.Exchange(ref _acknowledged, NewSignal()).TrySetResult();

    /// <summary>A replica receives the stream from now on.</summary>
    public void OnOnline(ReplicaLink link)
    {
        log.LogInformation("Synchronization with replica {Address}:{Port} succeeded", link.Address, link.Properties.Port);
        replication.OnReplicasChanged();
    }

    /// <summary>A replica is disconnected because it fell too far behind.</summary>
    public void ReportLate(ReplicaLink link)
    {
        statistics.CountOutputBufferDisconnection();
        log.LogWarning(
            "Replica {Address}:{Port} closed: it is further behind than client-output-buffer-limit allows",
            link.Address,
            link.Properties.Port
        );
    }

    /// <summary>Whether a replica understands all effects from a position on.</summary>
    public bool UnderstandsAll(ReplicaLink link, long position) =>
        link.Properties.ReadsValkeyFormat || position >= Volatile.Read(ref _newEffectsEnd);

    /// <summary>
    /// An effect was appended that replicas before Valkey 9.0 do not understand, about expiries of fields: they would diverge, and are
    /// disconnected. They get all data when they return, or are told that they cannot have it.
    /// </summary>
    public void OnNewEffects()
    {
        Volatile.Write(ref _newEffectsEnd, replication.Effects.Stream.Position);
        // Later, because the caller holds latches.
        if (_all.Any(static link => link.IsOutdated))
            ThreadPool.QueueUserWorkItem(static links => links.DisconnectOutdated(), this, preferLocal: false);
    }

    /// <summary>The stream begins anew.</summary>
    public void ForgetNewEffects() => Volatile.Write(ref _newEffectsEnd, 0);

    /// <summary>Counts bytes sent.</summary>
    public void CountSent(long bytes) => Interlocked.Add(ref _sentBytes, bytes);

    /// <summary>Counts a synchronization.</summary>
    public void CountSync(bool isFull, bool wasRefused)
    {
        Interlocked.Increment(ref isFull ? ref _fullSyncs : ref _partialSyncs);
        if (wasRefused)
            Interlocked.Increment(ref _refusedPartialSyncs);
    }

    /// <summary>Keeps waiting replicas' connections alive, and ends those that have been silent for too long. Once a second.</summary>
    public void Tick(long nowMs, long timeoutSeconds)
    {
        foreach (ReplicaLink link in _all)
        {
            link.KeepAlive();
            // The times of interactions are those of the system's clock.
            long silentMs = Math.Min(nowMs - link.AcknowledgedAtMs, clock.NowMs - link.Client.Traffic.LastInteractionMs);
            if (!link.Properties.Acknowledges || link.Client.End.IsForced || silentMs <= timeoutSeconds * MsPerSecond)
                continue;
            log.LogWarning("Replica {Address}:{Port} has been silent for too long; disconnected", link.Address, link.Properties.Port);
            link.Client.End.Force();
        }
    }

    private void DisconnectOutdated()
    {
        foreach (ReplicaLink link in _all.Where(static link => link.IsOutdated))
        {
            log.LogWarning(
                "Replica {Address}:{Port} is disconnected: it does not know expiries of fields, which Valkey has since 9.0",
                link.Address,
                link.Properties.Port
            );
            link.Client.End.Force();
        }
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
