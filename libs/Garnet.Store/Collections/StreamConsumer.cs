// One consumer of a group of a stream. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>A consumer's facts.</summary>
public readonly ref struct StreamConsumer
{
    private readonly ReadOnlySpan<byte> _facts;
    private readonly int _offset;

    internal StreamConsumer(ReadOnlySpan<byte> facts, int offset)
    {
        _facts = facts;
        _offset = offset;
    }

    /// <summary>The consumer's name.</summary>
    public ReadOnlySpan<byte> Name => _facts.Slice(_offset + StreamFacts.ConsumerBytes, StreamFacts.Int(_facts, _offset + 28));

    /// <summary>Unix milliseconds of its last try to read or claim.</summary>
    public long SeenTimeMs => StreamFacts.Long(_facts, _offset + 8);

    /// <summary>Unix milliseconds of its last success in reading or claiming, -1 for none.</summary>
    public long ActiveTimeMs => StreamFacts.Long(_facts, _offset + 16);

    /// <summary>Entries delivered to it and not acknowledged.</summary>
    public int Pending => StreamFacts.Int(_facts, _offset + 24);

    internal int Number => StreamFacts.Number(_facts, _offset);
}
