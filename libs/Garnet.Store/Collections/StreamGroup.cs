// One consumer group of a stream. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>A group's facts and its consumers, in the order in which they came.</summary>
public readonly ref struct StreamGroup
{
    private readonly ReadOnlySpan<byte> _facts;

    internal StreamGroup(ReadOnlySpan<byte> facts, int offset)
    {
        _facts = facts;
        Offset = offset;
    }

    /// <summary>The group's name.</summary>
    public ReadOnlySpan<byte> Name => _facts.Slice(Offset + StreamFacts.GroupBytes, StreamFacts.Int(_facts, Offset + 40));

    /// <summary>The last ID delivered to a consumer.</summary>
    public StreamId LastId => StreamNode.IdIn(_facts[(Offset + 8)..]);

    /// <summary>Entries read by the group, -1 when that cannot be known.</summary>
    public long EntriesRead => StreamFacts.Long(_facts, Offset + 24);

    /// <summary>Entries delivered and not acknowledged.</summary>
    public int Pending => StreamFacts.Int(_facts, Offset + 32);

    /// <summary>Number of consumers.</summary>
    public int Consumers => StreamFacts.Int(_facts, Offset + 36);

    internal int Offset { get; }

    internal int Number => StreamFacts.Number(_facts, Offset);

    internal ReadOnlySpan<byte> Facts => _facts;

    /// <summary>The consumer of a name; false when there is none.</summary>
    public bool TryGetConsumer(ReadOnlySpan<byte> name, out StreamConsumer consumer)
    {
        int offset = StreamFacts.FindConsumer(_facts, Offset, name);
        consumer = offset < 0 ? default : new StreamConsumer(_facts, offset);
        return offset >= 0;
    }

    /// <summary>The consumers.</summary>
    public StreamConsumerEnumerator GetEnumerator() => new(_facts, Offset);
}
