// Takes a stream's entries, then its properties, then its consumer groups as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>
/// Receives a stream: each entry (<see cref="BeginEntry"/>, its fields, <see cref="EndEntry"/>) in the order of IDs, the
/// <see cref="Properties"/>, then each group with all its pending entries, then its consumers, each with those that are its own. Where a
/// method answers false the data contradicts itself, and the reading ends.
/// </summary>
public interface IRdbStreamSink
{
    /// <summary>A stream begins.</summary>
    void BeginStream();

    /// <summary>The entries that follow were kept together in a node.</summary>
    void BeginNode();

    /// <summary>The next entry, greater than those before.</summary>
    void BeginEntry(RdbStreamId id);

    /// <summary>A field of the entry; the bytes are valid during the call.</summary>
    void Field(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> value);

    /// <summary>The entry has all its fields. One that was deleted takes room in its node and is not seen.</summary>
    void EndEntry(RdbStreamId id, bool isDeleted);

    /// <summary>What else is known of the stream.</summary>
    void Properties(in RdbStreamProperties properties);

    /// <summary>A consumer group; <paramref name="entriesRead"/> is -1 when not known. False when there is one of that name.</summary>
    bool BeginGroup(scoped ReadOnlySpan<byte> name, RdbStreamId lastDelivered, long entriesRead);

    /// <summary>
    /// An entry delivered to a consumer of the group and not acknowledged; which consumer follows. False when it was given already.
    /// </summary>
    bool Pending(RdbStreamId id, long deliveredAtMs, ulong deliveries);

    /// <summary>A consumer of the group. False when there is one of that name.</summary>
    bool BeginConsumer(scoped ReadOnlySpan<byte> name, long seenAtMs, long activeAtMs);

    /// <summary>A pending entry of the consumer. False when it is not pending in the group or another's.</summary>
    bool ConsumerPending(RdbStreamId id);

    /// <summary>The group is complete. False when a pending entry has no consumer.</summary>
    bool EndGroup();
}
