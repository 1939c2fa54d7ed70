// Whether the effects of writes are collected, and which history of changes they belong to. Changed while no command is running; read by
// any thread.
using System.Globalization;
using Garnet.Persistence.Effects;
using Garnet.Server.Configuration;
using Garnet.Store.Changes;

namespace Garnet.Server.Effects;

/// <summary>
/// Connects the store to the stream of effects while the append-only log or replicas follow it; otherwise a write costs nothing more. On
/// a replica the stream consists of the primary's bytes, and what happens to the store is no effect of its own.
/// </summary>
internal sealed class EffectFeed
{
    private readonly ChangeFeed _changes;
    private readonly ServerConfiguration _configuration;
    private bool _hasLost;

    /// <summary>Nothing is collected at first.</summary>
    public EffectFeed(ChangeFeed changes, ServerConfiguration configuration)
    {
        _changes = changes;
        _configuration = configuration;
        configuration.OnChange("repl-backlog-size", _ => KeepBacklog());
    }

    /// <summary>The stream begins anew, with the data of another history. Raised while no command is running.</summary>
    public event Action? Restarted;

    /// <summary>The stream.</summary>
    public EffectStream Stream { get; } = new();

    /// <summary>Which history of changes the positions in the stream belong to.</summary>
    public ReplicationHistory History { get; } = new();

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
            KeepBacklog();
        }
    }

    /// <summary>Whether the stream is that of a primary: the server is a replica.</summary>
    public bool IsFollowing
    {
        get => Volatile.Read(ref field);
        set
        {
            Volatile.Write(ref field, value);
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

    /// <summary>What a snapshot taken now says about the stream; nothing while that is not kept. While no command is running.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> SnapshotProperties() =>
        IsReplicating
            ?
            [
                new("repl-stream-db", Stream.Database.ToString(CultureInfo.InvariantCulture)),
                new(ReplicationHistory.Property, History.Id),
                new("repl-offset", Stream.Position.ToString(CultureInfo.InvariantCulture)),
            ]
            : [];

    /// <summary>The data was replaced by a primary's snapshot: takes over its history. While no command is running.</summary>
    public void Adopt(string id, long position, int database)
    {
        History.Adopt(id);
        Stream.Restart(position, database);
        IsReplicating = true;
        Restarted?.Invoke();
    }

    /// <summary>Continues the history of a loaded snapshot. At the start of a server, before anything follows the stream.</summary>
    public void Restore(IReadOnlyDictionary<string, string> properties)
    {
        if (
            !properties.TryGetValue(ReplicationHistory.Property, out string? id)
            || id.Length != ReplicationHistory.IdLength
            || !properties.TryGetValue("repl-offset", out string? offset)
            || !long.TryParse(offset, NumberStyles.None, CultureInfo.InvariantCulture, out long position)
        )
        {
            return;
        }

        int database = properties.TryGetValue("repl-stream-db", out string? text) && int.TryParse(text, out int selected) ? selected : 0;
        Restore(id, position, database);
    }

    /// <summary>Continues a history at a position. At the start of a server, before anything follows the stream.</summary>
    public void Restore(string id, long position, int database)
    {
        Adopt(id, position, IsFollowing ? database : -1);
        if (!IsFollowing)
            History.Continue(id, position);
    }

    private void Connect() => _changes.Sink = (IsLogging || IsReplicating) && !IsPaused && !IsFollowing ? Stream : null;

    private void KeepBacklog() => Stream.KeptBytes = IsReplicating ? _configuration.Current.ReplicationBacklogBytes : 0;
}
