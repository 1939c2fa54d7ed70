// An entry of a stream that was delivered to a consumer and not acknowledged. Void after the next change.
namespace Garnet.Store.Collections.Streams;

/// <summary>Who has it, since when, and how often it was delivered.</summary>
public readonly ref struct PendingEntry
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

    /// <summary>The entry's ID; the entry itself may be gone.</summary>
    public StreamId Id { get; }

    /// <summary>The consumer's name.</summary>
    public ReadOnlySpan<byte> Consumer => _groups.FactsOf(ConsumerNumber)[GroupEntry.ConsumerBytes..];

    /// <summary>Unix milliseconds of the last delivery.</summary>
    public long DeliveredAtMs { get; }

    /// <summary>How often it was delivered.</summary>
    public long Deliveries { get; }

    /// <summary>The consumer's <see cref="StreamConsumer.Number"/>.</summary>
    public long ConsumerNumber { get; }
}
