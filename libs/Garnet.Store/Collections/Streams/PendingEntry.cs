// A stream entry delivered to a consumer but not acknowledged. Invalid after the next change.
namespace Garnet.Store.Collections.Streams;

/// <summary>The consumer that has it, the time of delivery and the number of deliveries.</summary>
internal readonly ref struct PendingEntry
{
    private readonly GroupReader _groups;

    internal PendingEntry(StreamId id, GroupReader groups, long consumer, long deliveredAtMs, long deliveries)
    {
        Id = id;
        _groups = groups;
        ConsumerNumber = consumer;
        DeliveredAtMs = deliveredAtMs;
        Deliveries = deliveries;
    }

    /// <summary>The entry's ID; the entry itself may have been removed.</summary>
    public StreamId Id { get; }

    /// <summary>The consumer's name.</summary>
    public ReadOnlySpan<byte> Consumer => _groups.FactsOf(ConsumerNumber)[GroupEntry.ConsumerBytes..];

    /// <summary>Unix milliseconds of the last delivery.</summary>
    public long DeliveredAtMs { get; }

    /// <summary>Number of deliveries.</summary>
    public long Deliveries { get; }

    /// <summary>The consumer's <see cref="StreamConsumer.Number"/>.</summary>
    public long ConsumerNumber { get; }
}
