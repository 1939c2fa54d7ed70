// The settings of a subscription in the process. Immutable.
namespace Garnet;

/// <summary>How many messages a subscription keeps for its reader, and what happens when they are more.</summary>
public sealed class SubscriptionOptions
{
    /// <summary>The most messages that wait for the reader; at least 1.</summary>
    public int Capacity { get; init; } = 1024;

    /// <summary>What happens when the reader is slower than the publishers.</summary>
    public SlowReaderPolicy WhenFull { get; init; } = SlowReaderPolicy.DropOldest;
}
