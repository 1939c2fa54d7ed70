// One consumer group of a stream. Lives on the stack; invalid after the next change.
using System.Buffers.Binary;

namespace Garnet.Store.Collections.Streams;

/// <summary>A group's metadata and its consumers, in the order of their names.</summary>
internal readonly ref struct StreamGroup
{
    private readonly GroupReader _groups;
    private readonly ReadOnlySpan<byte> _facts;

    internal StreamGroup(GroupReader groups, long number)
    {
        _groups = groups;
        _facts = groups.FactsOf(number);
        Number = number;
    }

    /// <summary>Identifies the group in changes of the stream; constant for the group's lifetime.</summary>
    public long Number { get; }

    /// <summary>The group's name.</summary>
    public ReadOnlySpan<byte> Name => _facts[GroupEntry.GroupBytes..];

    /// <summary>The last ID delivered to a consumer.</summary>
    public StreamId LastId => StreamNode.IdIn(_facts[GroupEntry.LastIdAt..]);

    /// <summary>Number of entries read by the group, -1 when unknown.</summary>
    public long EntriesRead => BinaryPrimitives.ReadInt64LittleEndian(_facts[GroupEntry.EntriesReadAt..]);

    /// <summary>Number of entries delivered but not acknowledged.</summary>
    public int Pending => (int)BinaryPrimitives.ReadInt64LittleEndian(_facts[GroupEntry.PendingAt..]);

    /// <summary>Number of consumers.</summary>
    public int Consumers => (int)BinaryPrimitives.ReadInt64LittleEndian(_facts[GroupEntry.ConsumersAt..]);

    /// <summary>The consumer with a name; false when there is none.</summary>
    public bool TryGetConsumer(ReadOnlySpan<byte> name, out StreamConsumer consumer)
    {
        long number = _groups.NumberOf(GroupEntry.NamesOf(Number), name);
        consumer = number == 0 ? default : new StreamConsumer(_groups, number);
        return number != 0;
    }

    /// <summary>The consumers.</summary>
    public StreamConsumerEnumerator GetEnumerator() => new(_groups, Number);
}
