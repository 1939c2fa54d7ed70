// The limits of unsent replies of all classes of clients. Immutable, any thread.
using Garnet.Engine.Clients;

namespace Garnet;

/// <summary>One <see cref="OutputBufferLimit"/> for each class of clients.</summary>
public sealed record OutputBufferLimits
{
    /// <summary>Valkey's: none for normal clients, 256/64 MB for replicas, 32/8 MB for subscribers.</summary>
    public static OutputBufferLimits Default { get; } =
        new()
        {
            Replica = new OutputBufferLimit(256L << 20, 64L << 20, TimeSpan.FromMinutes(1)),
            PubSub = new OutputBufferLimit(32L << 20, 8L << 20, TimeSpan.FromMinutes(1)),
        };

    /// <summary>Of clients that are neither of the others.</summary>
    public OutputBufferLimit Normal { get; init; }

    /// <summary>Of replicas.</summary>
    public OutputBufferLimit Replica { get; init; }

    /// <summary>Of clients that have subscribed to a channel.</summary>
    public OutputBufferLimit PubSub { get; init; }

    internal OutputBufferLimit Of(OutputClass outputClass) =>
        outputClass switch
        {
            OutputClass.Replica => Replica,
            OutputClass.PubSub => PubSub,
            _ => Normal,
        };

    internal OutputBufferLimits With(OutputClass outputClass, OutputBufferLimit limit) =>
        outputClass switch
        {
            OutputClass.Replica => this with { Replica = limit },
            OutputClass.PubSub => this with { PubSub = limit },
            _ => this with { Normal = limit },
        };
}
