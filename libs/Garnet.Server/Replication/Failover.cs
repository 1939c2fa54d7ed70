// FAILOVER: hands the role of the primary over to a replica. Begun by a command, continued by the clock.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>
/// Writes wait while the chosen replica catches up; then this server becomes its replica, and asks it to become the primary.
/// </summary>
internal sealed class Failover(
    ClientRegistry clients,
    ReleasedWaits waits,
    ServerReplication replication,
    RoleChanges roles,
    HybridLogStore store,
    ServerClock clock,
    ILogger log
)
{
    private FailoverTarget _target = new("", 0, false, 0);
    private int _state;

    /// <summary>How far it is.</summary>
    public FailoverState State => (FailoverState)Volatile.Read(ref _state);

    /// <summary>Whether one is under way.</summary>
    public bool IsUnderWay => State != FailoverState.None;

    /// <summary>Begins one; writes wait from here on. False when one is under way.</summary>
    public bool TryBegin(FailoverTarget target)
    {
        if (IsUnderWay)
            return false;
        _target = target;
        clients.Pause.Begin(long.MaxValue, onlyWrites: true, NowMs);
        if (!TryChange(FailoverState.None, FailoverState.WaitingForSync))
            return false;
        replication.RequestAcknowledgements();
        return true;
    }

    /// <summary>Gives up; false when none is under way. Without latches.</summary>
    public bool Abort(StoreSession session)
    {
        var former = (FailoverState)Interlocked.Exchange(ref _state, (int)FailoverState.None);
        if (former == FailoverState.None)
            return false;
        if (former == FailoverState.InProgress)
            roles.Promote(session);
        End("it was aborted");
        return true;
    }

    /// <summary>The chosen replica has answered the request to become the primary.</summary>
    public void OnAnswer(bool isAccepted)
    {
        if (!TryChange(FailoverState.InProgress, FailoverState.None))
            return;
        if (isAccepted)
        {
            waits.ReleaseAll();
        }
        else
        {
            using StoreSession session = store.OpenSession();
            roles.Promote(session);
        }

        End(isAccepted ? "it is complete" : "the replica refused");
    }

    /// <summary>Continues. Called by the clock.</summary>
    public void Tick(long nowMs)
    {
        if (State != FailoverState.WaitingForSync)
            return;
        FailoverTarget target = _target;
        ReplicaLink? ready = FindReady(target);
        bool isLate = nowMs >= target.DeadlineMs;
        if (ready is not null)
            HandOver(ready.Address, ready.Properties.Port, () => HasEverything(ready));
        else if (isLate && target.IsForced)
            HandOver(target.Host, target.Port, static () => true);
        else if (isLate && TryChange(FailoverState.WaitingForSync, FailoverState.None))
            End("no replica caught up in time");
    }

    private long NowMs => clock.Time.GetUtcNow().ToUnixTimeMilliseconds();

    private ReplicaLink? FindReady(FailoverTarget target) =>
        replication.Replicas.All.FirstOrDefault(link => HasEverything(link) && target.Includes(link));

    private bool HasEverything(ReplicaLink link) =>
        link.State == ReplicaLinkState.Online && link.Acknowledged >= replication.Effects.Stream.Position;

    // A command that began before the pause may write until no command is running: only then it is certain that the replica has everything,
    // and that no one has aborted the failover.
    private void HandOver(string host, int port, Func<bool> isReady)
    {
        if (!TryChange(FailoverState.WaitingForSync, FailoverState.InProgress))
            return;
        log.LogInformation("Failover: {Host}:{Port} is asked to become the primary", host, port);
        using StoreSession session = store.OpenSession();
        if (roles.Follow(session, host, port, () => State == FailoverState.InProgress && isReady()))
            return;
        if (TryChange(FailoverState.InProgress, FailoverState.WaitingForSync))
            replication.RequestAcknowledgements();
    }

    private bool TryChange(FailoverState from, FailoverState to) =>
        Interlocked.CompareExchange(ref _state, (int)to, (int)from) == (int)from;

    private void End(string how)
    {
        clients.Pause.Lift();
        log.LogInformation("Failover ended: {How}", how);
    }
}
