// One consumer of a group of a stream. Lives on the stack; void after the next change.
using System.Buffers.Binary;

namespace Garnet.Store.Collections.Streams;

/// <summary>A consumer's facts.</summary>
public readonly ref struct StreamConsumer
{
    private readonly ReadOnlySpan<byte> _facts;

    internal StreamConsumer(GroupReader groups, long number)
    {
        _facts = groups.FactsOf(number);
        Number = number;
    }

    /// <summary>What changes of the stream know the consumer by; the same for as long as there is the consumer.</summary>
    public long Number { get; }

    /// <summary>The consumer's name.</summary>
    public ReadOnlySpan<byte> Name => _facts[GroupEntry.ConsumerBytes..];

    /// <summary>Unix milliseconds of its last try to read or claim.</summary>
    public long SeenTimeMs => BinaryPrimitives.ReadInt64LittleEndian(_facts[GroupEntry.SeenAt..]);

    /// <summary>Unix milliseconds of its last success in reading or claiming, -1 for none.</summary>
    public long ActiveTimeMs => BinaryPrimitives.ReadInt64LittleEndian(_facts[GroupEntry.ActiveAt..]);

    /// <summary>Entries delivered to it and not acknowledged.</summary>
    public int Pending => (int)BinaryPrimitives.ReadInt64LittleEndian(_facts[GroupEntry.PendingAt..]);
}
