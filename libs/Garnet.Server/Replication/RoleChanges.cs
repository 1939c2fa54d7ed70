// Changes of a server's role. Thread-safe; roles change while no command is running.
using System.Globalization;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Server.Configuration;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>Makes the server a replica or a primary.</summary>
internal sealed class RoleChanges : IDisposable
{
    private readonly ServerReplication _replication;
    private readonly PrimaryLinkParts _links;
    private readonly ReleasedWaits _waits;
    private readonly ServerConfiguration _configuration;
    private readonly HybridLogStore _store;
    private readonly ServerClock _clock;
    private readonly ILogger _log;

    /// <summary>The role is that of a primary until something changes it.</summary>
    public RoleChanges(PrimaryLinkParts links, ClientRegistry clients, ReleasedWaits waits, HybridLogStore store)
    {
        _replication = links.Replication;
        _links = links;
        _waits = waits;
        _configuration = links.Configuration;
        _store = store;
        _clock = links.Clock;
        _log = links.Log;
        Failover = new Failover(clients, waits, _replication, this, store, _clock, _log);
    }

    /// <summary>FAILOVER.</summary>
    public Failover Failover { get; }

    /// <summary>
    /// Becomes a replica, without connecting yet: for the start of a server, before anything is served.
    /// </summary>
    public void Prepare()
    {
        if (PrimaryAddress.TryParse(_configuration.Current.ReplicaOf, out string host, out int port))
            Assign(new PrimaryLink(_links, Failover, host, port) { OwnKeys = new OwnKeys(_store) });
    }

    /// <summary>Connects to the primary of <see cref="Prepare"/>, once the data is loaded.</summary>
    public void Start() => _replication.Primary?.Start(after: Task.CompletedTask);

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
            former = _replication.Primary;
            if ((former is not null && former.IsTo(host, port)) || mayHandOver?.Invoke() == false)
                return;
            former?.Stop();
            // Its own history, or that of the former primary, may be one that the new primary continues.
            link = new PrimaryLink(_links, Failover, host, port)
            {
                OwnKeys = former?.OwnKeys ?? new OwnKeys(_store),
                MayContinue = former?.MayContinue ?? _replication.Effects.IsReplicating,
                AsksForFailover = asksForFailover,
            };
            Assign(link);
        });
        if (link is null)
            return false;
        _replication.Replicas.CloseAll();
        // Those whose server may become a primary again wait on.
        if (!asksForFailover)
            _waits.ReleaseAll();
        _configuration.OnPrimaryChanged(string.Create(CultureInfo.InvariantCulture, $"{host} {port}"));
        link.Start(former?.Ended ?? Task.CompletedTask);
        _log.LogInformation("This server is now a replica of {Host}:{Port}", host, port);
        return true;
    }

    /// <summary>Makes the server a primary; false when it is one. Without latches.</summary>
    public bool Promote(StoreSession session)
    {
        bool isChanged = false;
        session.RunExclusive(() =>
        {
            if (_replication.Primary is not { } former)
                return;
            former.Stop();
            _replication.History.Branch(_replication.Effects.Stream.Position);
            _replication.Primary = null;
            _replication.Effects.IsFollowing = false;
            // Replicas have seen no SELECT of this server.
            _replication.Effects.Stream.ForgetDatabase();
            _store.Budget.MaxBytes = _configuration.Current.MaxMemoryBytes;
            _replication.OnNoReplicas();
            isChanged = true;
        });
        if (!isChanged)
            return false;
        _replication.Replicas.CloseAll();
        _replication.OnReplicasChanged();
        _configuration.OnPrimaryChanged("");
        _log.LogInformation(
            "This server is now a primary; its history is {Id}, after {SecondId}",
            _replication.History.Id,
            _replication.History.SecondId
        );
        return true;
    }

    /// <summary>Does what is due. Called by the clock, some times a second.</summary>
    public void Tick()
    {
        Failover.Tick(_clock.SteadyMs);
        _replication.Tick(mayPing: !Failover.IsUnderWay);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_replication.Primary is not { } primary)
            return;
        primary.Stop();
        primary.Ended.GetAwaiter().GetResult();
    }

    private void Assign(PrimaryLink link)
    {
        _replication.Effects.IsFollowing = true;
        if (_configuration.Current.ReplicaIgnoreMaxMemory && _store.Tier is null)
            _store.Budget.MaxBytes = 0;
        _replication.Primary = link;
    }
}
