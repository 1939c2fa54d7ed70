// Builds a stream without a key, to be stored when it is complete. Lives on the stack; belongs to the session's thread.
using System.Runtime.InteropServices;
using Garnet.Store;
using Garnet.Store.Collections.Streams;

namespace Garnet.Persistence.Rdb.Values;

/// <summary>
/// Converts a stream to the store's own form. Ends with <see cref="Take"/> and <see cref="StoreTo"/>, or <see cref="Discard"/>.
/// </summary>
internal ref struct RdbStreamSink : IRdbStreamSink
{
    private StreamValue _stream;
    private long _group;
    private long _consumer;

    // Entries pending in the group whose consumer has not been read yet.
    private long _pending;
    private bool _isEmpty;

    /// <summary>Builds through a session.</summary>
    public RdbStreamSink(StoreSession session) => _stream = StreamValue.Detached(session);

    /// <summary>Returns what was built; the sink is empty afterwards.</summary>
    public RdbStreamSink Take()
    {
        RdbStreamSink built = this;
        _isEmpty = true;
        return built;
    }

    /// <summary>Replaces the value of a latched record with a stream.</summary>
    public static void StoreTo(RdbStreamSink built, ref RecordHandle target, long expiresAtMs) =>
        built._stream.StoreTo(ref target, expiresAtMs);

    /// <summary>Frees what was built.</summary>
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
        _pending = 0;
        return _stream.CreateGroup(Lend(name), IdOf(lastDelivered), entriesRead, out _group);
    }

    public bool Pending(RdbStreamId id, long deliveredAtMs, ulong deliveries)
    {
        _pending++;
        return _stream.AddPending(_group, IdOf(id), deliveredAtMs, unchecked((long)deliveries));
    }

    public bool BeginConsumer(scoped ReadOnlySpan<byte> name, long seenAtMs, long activeAtMs) =>
        _stream.CreateConsumer(_group, Lend(name), seenAtMs, activeAtMs, out _consumer);

    public bool ConsumerPending(RdbStreamId id)
    {
        _pending--;
        return _stream.GivePending(_group, _consumer, IdOf(id));
    }

    public readonly bool EndGroup() => _pending == 0;

    private static StreamId IdOf(RdbStreamId id) => new(id.Ms, id.Sequence);

    // The stream's methods lack the scoped modifier, although they do not keep their arguments.
    private static ReadOnlySpan<byte> Lend(scoped ReadOnlySpan<byte> bytes) =>
        MemoryMarshal.CreateReadOnlySpan(ref MemoryMarshal.GetReference(bytes), bytes.Length);
}
