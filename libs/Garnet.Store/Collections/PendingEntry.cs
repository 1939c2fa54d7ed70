// An entry of a stream that was delivered to a consumer and not acknowledged. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>Who has it, since when, and how often it was delivered.</summary>
public readonly ref struct PendingEntry
{
    private readonly StreamGroup _group;
    private readonly int _consumer;

    internal PendingEntry(StreamId id, StreamGroup group, int consumer, long deliveredAtMs, long deliveries)
    {
        Id = id;
        _group = group;
        _consumer = consumer;
        DeliveredAtMs = deliveredAtMs;
        Deliveries = deliveries;
    }

    /// <summary>The entry's ID; the entry itself may be gone.</summary>
    public StreamId Id { get; }

    /// <summary>The consumer's name.</summary>
    public ReadOnlySpan<byte> Consumer => new StreamConsumer(_group.Facts, StreamFacts.FindConsumer(_group.Facts, _group.Offset, _consumer)).Name;

    /// <summary>Unix milliseconds of the last delivery.</summary>
    public long DeliveredAtMs { get; }

    /// <summary>How often it was delivered.</summary>
    public long Deliveries { get; }

    internal int ConsumerNumber => _consumer;
}
