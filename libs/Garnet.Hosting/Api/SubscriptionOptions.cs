// The settings of a subscription in the process. Immutable.
namespace Garnet;

/// <summary>The size of a subscription's buffer, and what happens when it is full.</summary>
public sealed class SubscriptionOptions
{
    /// <summary>Maximum number of messages waiting for the reader; at least 1.</summary>
    public int Capacity { get; init; } = 1024;

    /// <summary>What happens when the buffer is full.</summary>
    public SlowReaderPolicy WhenFull { get; init; } = SlowReaderPolicy.DropOldest;
}
