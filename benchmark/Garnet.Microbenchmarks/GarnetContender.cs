// Our store under comparison; a command's work is one batch of one.
using System.Buffers.Binary;
using Garnet.Store;

namespace Garnet.Microbenchmarks;

/// <summary>HybridLogStore.</summary>
internal sealed class GarnetContender : IStoreContender
{
    private readonly HybridLogStore store = new(new StoreOptions(), TimeProvider.System);

    /// <inheritdoc/>
    public IContenderSession Open() => new Session(store.OpenSession());

    /// <inheritdoc/>
    public void Dispose() => store.Dispose();

    private sealed class Session : IContenderSession
    {
        private readonly StoreSession session;

        public Session(StoreSession session) => this.session = session;

        public long Get(ReadOnlySpan<byte> key)
        {
            session.EnterBatch();
            FirstNumber reader = default;
            ReadOutcome outcome = session.Read(key, session.Hash(key), RecordType.String, ref reader);
            session.EndCommand();
            session.LeaveBatch();
            return outcome == ReadOutcome.Found ? reader.Value : -1;
        }

        public void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
        {
            session.EnterBatch();
            RecordHandle record = session.Open(key, session.Hash(key));
            record.Set(value);
            session.EndCommand();
            session.LeaveBatch();
        }

        public void Increment(ReadOnlySpan<byte> key)
        {
            session.EnterBatch();
            RecordHandle record = session.Open(key, session.Hash(key));
            Span<byte> value = record.Mutate();
            BinaryPrimitives.WriteInt64LittleEndian(value, BinaryPrimitives.ReadInt64LittleEndian(value) + 1);
            session.EndCommand();
            session.LeaveBatch();
        }

        public void Dispose() => session.Dispose();
    }

    private struct FirstNumber : IValueReader
    {
        public long Value;

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => BinaryPrimitives.TryReadInt64LittleEndian(value, out Value);
    }
}
