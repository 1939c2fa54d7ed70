// What can be subscribed to. Immutable.
namespace Garnet.Server.Messaging;

/// <summary>The kinds of subscription, each with names of its own.</summary>
internal enum TopicKind : byte
{
    /// <summary>A channel (SUBSCRIBE).</summary>
    Channel,

    /// <summary>All channels whose name matches a pattern (PSUBSCRIBE).</summary>
    Pattern,

    /// <summary>A shard channel (SSUBSCRIBE).</summary>
    ShardChannel,
}
