// One consumer of a group of a stream. Lives on the stack; invalid after the next change.
using System.Buffers.Binary;

namespace Garnet.Store.Collections.Streams;

/// <summary>A consumer's metadata.</summary>
internal readonly ref struct StreamConsumer
{
    private readonly ReadOnlySpan<byte> _facts;

    internal StreamConsumer(GroupReader groups, long number)
    {
        _facts = groups.FactsOf(number);
        Number = number;
    }

    /// <summary>Identifies the consumer in changes of the stream; constant for the consumer's lifetime.</summary>
    public long Number { get; }

    /// <summary>The consumer's name.</summary>
    public ReadOnlySpan<byte> Name => _facts[GroupEntry.ConsumerBytes..];

    /// <summary>Unix milliseconds of its last attempt to read or claim.</summary>
    public long SeenTimeMs => BinaryPrimitives.ReadInt64LittleEndian(_facts[GroupEntry.SeenAt..]);

    /// <summary>Unix milliseconds of its last successful read or claim, -1 for none.</summary>
    public long ActiveTimeMs => BinaryPrimitives.ReadInt64LittleEndian(_facts[GroupEntry.ActiveAt..]);

    /// <summary>Number of entries delivered to it but not acknowledged.</summary>
    public int Pending => (int)BinaryPrimitives.ReadInt64LittleEndian(_facts[GroupEntry.PendingAt..]);
}
