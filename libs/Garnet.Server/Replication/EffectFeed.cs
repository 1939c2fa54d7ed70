// Whether the effects of writes are collected. Changed while no command is running; read by any thread.
using Garnet.Persistence.Effects;
using Garnet.Store.Changes;

namespace Garnet.Server.Replication;

/// <summary>
/// Connects the store to the stream of effects while somebody follows the stream; otherwise a write costs nothing more.
/// </summary>
internal sealed class EffectFeed(ChangeFeed changes)
{
    /// <summary>The stream.</summary>
    public EffectStream Stream { get; } = new();

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

    private void Connect() => changes.Sink = IsLogging && !IsPaused ? Stream : null;
}
