// Receives a stream's entries, then its properties, then its consumer groups as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>
/// Receives a stream: each entry (<see cref="BeginEntry"/>, its fields, <see cref="EndEntry"/>) in the order of IDs, the
/// <see cref="Properties"/>, then each group with all its pending entries, then its consumers, each with its own pending entries. Where a
/// method returns false the data is inconsistent, and reading ends.
/// </summary>
internal interface IRdbStreamSink
{
    /// <summary>A stream begins.</summary>
    void BeginStream();

    /// <summary>The following entries belong to one node.</summary>
    void BeginNode();

    /// <summary>The next entry, greater than those before.</summary>
    void BeginEntry(RdbStreamId id);

    /// <summary>A field of the entry; the bytes are valid during the call.</summary>
    void Field(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> value);

    /// <summary>The entry has all its fields. A deleted one occupies space in its node but is not visible.</summary>
    void EndEntry(RdbStreamId id, bool isDeleted);

    /// <summary>Further properties of the stream.</summary>
    void Properties(in RdbStreamProperties properties);

    /// <summary>A consumer group; <paramref name="entriesRead"/> is -1 when unknown. False when the name exists already.</summary>
    bool BeginGroup(scoped ReadOnlySpan<byte> name, RdbStreamId lastDelivered, long entriesRead);

    /// <summary>
    /// An entry delivered to a consumer of the group and not acknowledged; its consumer follows later. False for a duplicate.
    /// </summary>
    bool Pending(RdbStreamId id, long deliveredAtMs, ulong deliveries);

    /// <summary>A consumer of the group. False when the name exists already.</summary>
    bool BeginConsumer(scoped ReadOnlySpan<byte> name, long seenAtMs, long activeAtMs);

    /// <summary>A pending entry of the consumer. False when it is not pending in the group or belongs to another consumer.</summary>
    bool ConsumerPending(RdbStreamId id);

    /// <summary>The group is complete. False when a pending entry has no consumer.</summary>
    bool EndGroup();
}
