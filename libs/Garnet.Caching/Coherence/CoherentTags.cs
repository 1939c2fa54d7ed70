// What instances need in order to agree about tags: link, membership, changes. Thread-safe.
using System.Text;
using Garnet.Caching.Links;

namespace Garnet.Caching.Coherence;

/// <summary>Only composes, and distributes the messages to this instance.</summary>
internal sealed class CoherentTags : IAsyncDisposable
{
    private readonly ICacheLink _changes;

    /// <param name="connect">Makes a link that subscribes to channels.</param>
    /// <param name="instanceName">The beginning of all names.</param>
    /// <param name="lease">How long a change waits for an instance.</param>
    /// <param name="replicas">How many replicas must have a change.</param>
    /// <param name="time">The clock.</param>
    public CoherentTags(
        Func<IReadOnlyList<string>, ICacheLink> connect,
        string instanceName,
        TimeSpan lease,
        ReplicaWait replicas,
        TimeProvider time
    )
    {
        var instance = Guid.NewGuid();
        Names = new CacheNames(instanceName, instance);
        Link = connect([Names.Changes, Names.Own]);
        // WAIT holds up a connection, and those who read must not wait behind it.
        _changes = replicas.Replicas == 0 ? Link : connect([]);
        Membership = new CacheMembership(Link, Names, lease, time) { Told = OnTold };
        Tags = new TagReader(Membership, time);
        Changes = new ChangeBroadcast(_changes, Membership, Names, instance, lease, replicas, time);
    }

    /// <summary>To the server.</summary>
    public ICacheLink Link { get; }

    /// <summary>Keys and channels.</summary>
    public CacheNames Names { get; }

    /// <summary>This instance's own.</summary>
    public CacheMembership Membership { get; }

    /// <summary>Reads tokens.</summary>
    public TagReader Tags { get; }

    /// <summary>Makes changes.</summary>
    public ChangeBroadcast Changes { get; }

    /// <summary>A load that this instance waits for has ended; the key.</summary>
    public Action<string>? Loaded { get; set; }

    /// <inheritdoc cref="CacheMembership.Changed"/>
    public Action<CacheChange>? Changed
    {
        get => Membership.Changed;
        set => Membership.Changed = value;
    }

    /// <inheritdoc cref="CacheMembership.Ended"/>
    public Action? Ended
    {
        get => Membership.Ended;
        set => Membership.Ended = value;
    }

    /// <inheritdoc cref="CacheMembership.Start"/>
    public void Start()
    {
        // Here, so that a server that cannot be subscribed to is told to who makes the cache.
        Link.Subscribe();
        Membership.Start();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await Membership.DisposeAsync().ConfigureAwait(false);
        await Link.DisposeAsync().ConfigureAwait(false);
        if (_changes != Link)
            await _changes.DisposeAsync().ConfigureAwait(false);
    }

    private void OnTold(ReadOnlyMemory<byte> message)
    {
        if (message.Span[0] == CacheMembership.Acknowledgement)
            Changes.OnAcknowledged(message.Span[1..]);
        else
            Loaded?.Invoke(Encoding.UTF8.GetString(message.Span[1..]));
    }
}
