// The limits of unsent replies of all classes of clients. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>One <see cref="OutputBufferLimit"/> for each class of clients.</summary>
public sealed record OutputBufferLimits(OutputBufferLimit Normal, OutputBufferLimit Replica, OutputBufferLimit PubSub)
{
    /// <summary>Valkey's: none for normal clients, 256/64 MB for replicas, 32/8 MB for subscribers.</summary>
    public static OutputBufferLimits Default { get; } =
        new(default, new OutputBufferLimit(256L << 20, 64L << 20, 60), new OutputBufferLimit(32L << 20, 8L << 20, 60));
}
