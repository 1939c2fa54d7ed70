// Garnet's store in the comparison; each operation is a batch of its own.
using System.Buffers.Binary;
using Garnet.Store;

namespace Garnet.Microbenchmarks;

/// <summary>HybridLogStore.</summary>
internal sealed class GarnetContender : IStoreContender
{
    private readonly HybridLogStore _store = new(new StoreOptions(), TimeProvider.System);

    /// <inheritdoc/>
    public IContenderSession Open() => new Session(_store.OpenSession());

    /// <inheritdoc/>
    public void Dispose() => _store.Dispose();

    private sealed class Session : IContenderSession
    {
        private readonly StoreSession _session;

        public Session(StoreSession session) => _session = session;

        public long Get(ReadOnlySpan<byte> key)
        {
            _session.EnterBatch();
            FirstNumber reader = default;
            ReadOutcome outcome = _session.Reads.Read(key, _session.Hash(key), RecordType.String, ref reader);
            _session.EndCommand();
            _session.LeaveBatch();
            return outcome == ReadOutcome.Found ? reader.Value : -1;
        }

        public void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
        {
            _session.EnterBatch();
            RecordHandle record = _session.Open(key, _session.Hash(key));
            record.Set(value);
            _session.EndCommand();
            _session.LeaveBatch();
        }

        public void Increment(ReadOnlySpan<byte> key)
        {
            _session.EnterBatch();
            RecordHandle record = _session.Open(key, _session.Hash(key));
            Span<byte> value = record.Mutate();
            BinaryPrimitives.WriteInt64LittleEndian(value, BinaryPrimitives.ReadInt64LittleEndian(value) + 1);
            _session.EndCommand();
            _session.LeaveBatch();
        }

        public void Dispose() => _session.Dispose();
    }

    private struct FirstNumber : IValueReader
    {
        public long Value;

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => BinaryPrimitives.TryReadInt64LittleEndian(value, out Value);
    }
}
