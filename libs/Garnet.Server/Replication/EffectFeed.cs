// Whether the effects of writes are collected. Changed while no command is running; read by any thread.
using Garnet.Persistence.Effects;
using Garnet.Store.Changes;

namespace Garnet.Server.Replication;

/// <summary>
/// Connects the store to the stream of effects while the append-only log or replicas follow it; otherwise a write costs nothing more. On
/// a replica the stream consists of the primary's bytes, and what happens to the store is no effect of its own.
/// </summary>
internal sealed class EffectFeed(ChangeFeed changes)
{
    private bool _hasLost;

    /// <summary>The stream.</summary>
    public EffectStream Stream { get; } = new();

    /// <summary>Tells when a replica has applied more of it.</summary>
    public StreamProgress Progress { get; } = new();

    /// <summary>Whether the append-only log follows the stream.</summary>
    public bool IsLogging
    {
        get;
        set
        {
            field = value;
            Connect();
        }
    }

    /// <summary>Whether the stream is kept for replicas: it has a backlog.</summary>
    public bool IsReplicating
    {
        get;
        set
        {
            field = value;
            Connect();
        }
    }

    /// <summary>Whether the stream is that of a primary.</summary>
    public bool IsFollowing
    {
        get;
        set
        {
            field = value;
            Stream.IsForeign = value;
            Connect();
        }
    }

    /// <summary>True while the data is being reloaded: what happens to it meanwhile is no effect.</summary>
    public bool IsPaused
    {
        get;
        set
        {
            field = value;
            Connect();
        }
    }

    /// <summary>
    /// Whether the data may differ from the stream, because a command threw: then replicas need a snapshot, and the log a new base.
    /// </summary>
    public bool HasLost
    {
        get => Volatile.Read(ref _hasLost);
        set => Volatile.Write(ref _hasLost, value);
    }

    /// <summary>Memory of the stream that is kept for replicas, those included that are behind.</summary>
    public long BacklogMemoryBytes => IsReplicating ? Stream.MemoryBytes : 0;

    private void Connect() => changes.Sink = (IsLogging || IsReplicating) && !IsPaused && !IsFollowing ? Stream : null;
}
