// The classes of clients that client-output-buffer-limit distinguishes. Immutable.
namespace Garnet.Engine.Clients;

/// <summary>
/// What a client is, for its output limits and for CLIENT LIST TYPE. As in Valkey, a client in monitor mode is a normal one.
/// </summary>
internal enum OutputClass
{
    /// <summary>Neither of the others.</summary>
    Normal,

    /// <summary>Receives the stream of changes.</summary>
    Replica,

    /// <summary>Has subscribed to a channel, pattern or shard channel.</summary>
    PubSub,
}
