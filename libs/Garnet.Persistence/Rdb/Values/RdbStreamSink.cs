// Builds a stream under no key, to be stored when it is complete. Lives on the stack; belongs to the session's thread.
using System.Runtime.InteropServices;
using Garnet.Store;

namespace Garnet.Persistence.Rdb.Values;

/// <summary>Takes a stream into the store's own form. Ends with <see cref="Take"/> and <see cref="StoreTo"/>, or <see cref="Discard"/>.</summary>
internal ref struct RdbStreamSink : IRdbStreamSink
{
    private readonly Dictionary<StreamId, (long DeliveredAtMs, long Deliveries)> _pending;
    private StreamValue _stream;
    private byte[] _group = [];
    private byte[] _consumer = [];
    private bool _isEmpty;

    /// <summary>Builds by a session.</summary>
    public RdbStreamSink(StoreSession session)
    {
        _stream = StreamValue.Detached(session);
        _pending = [];
    }

    /// <summary>Hands over what was built; the sink is empty afterwards.</summary>
    public RdbStreamSink Take()
    {
        RdbStreamSink built = this;
        _isEmpty = true;
        return built;
    }

    /// <summary>Makes a stream that of a latched record, which it replaces.</summary>
    public static void StoreTo(RdbStreamSink built, ref RecordHandle target, long expiresAtMs) => built._stream.StoreTo(ref target, expiresAtMs);

    /// <summary>Gives up what was built.</summary>
    public void Discard()
    {
        if (!_isEmpty)
            _stream.Discard();
        _isEmpty = true;
    }

    public void BeginStream() => _stream.Create();

    public void BeginNode() => _stream.BeginNode();

    public void BeginEntry(RdbStreamId id) => _stream.BeginEntry();

    public void Field(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> value) => _stream.AddField(Lend(name), Lend(value));

    public void EndEntry(RdbStreamId id, bool isDeleted) => _stream.EndEntry(IdOf(id), isDeleted);

    public void Properties(in RdbStreamProperties properties) =>
        _stream.SetFacts(IdOf(properties.LastId), unchecked((long)properties.EntriesAdded), IdOf(properties.MaxDeletedId));

    public bool BeginGroup(scoped ReadOnlySpan<byte> name, RdbStreamId lastDelivered, long entriesRead)
    {
        _group = name.ToArray();
        _pending.Clear();
        return _stream.CreateGroup(_group, IdOf(lastDelivered), entriesRead);
    }

    public readonly bool Pending(RdbStreamId id, long deliveredAtMs, ulong deliveries) =>
        _pending.TryAdd(IdOf(id), (deliveredAtMs, unchecked((long)deliveries)));

    public bool BeginConsumer(scoped ReadOnlySpan<byte> name, long seenAtMs, long activeAtMs)
    {
        _consumer = name.ToArray();
        return _stream.CreateConsumer(_group, _consumer, seenAtMs, activeAtMs);
    }

    public bool ConsumerPending(RdbStreamId id)
    {
        if (!_pending.Remove(IdOf(id), out (long DeliveredAtMs, long Deliveries) pending))
            return false;
        _stream.SetPending(_group, _consumer, IdOf(id), pending.DeliveredAtMs, pending.Deliveries);
        return true;
    }

    public readonly bool EndGroup() => _pending.Count == 0;

    private static StreamId IdOf(RdbStreamId id) => new(id.Ms, id.Sequence);

    // The stream's methods do not say that they keep no argument, though they do not.
    private static ReadOnlySpan<byte> Lend(scoped ReadOnlySpan<byte> bytes) =>
        MemoryMarshal.CreateReadOnlySpan(ref MemoryMarshal.GetReference(bytes), bytes.Length);
}
