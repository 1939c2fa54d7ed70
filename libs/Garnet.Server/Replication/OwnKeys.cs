// Keys that clients of a writable replica have given an expiry, or whose fields. Thread-safe.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.DataTypes;
using Garnet.Store.Maintenance;

namespace Garnet.Server.Replication;

/// <summary>
/// A replica leaves the expiry of keys to its primary, which does not know of those written here: they are remembered, and removed when
/// their time has come.
/// </summary>
internal sealed class OwnKeys(HybridLogStore store)
{
    private const int KeysPerTick = 1000;

    private readonly Lock _gate = new();
    private readonly HashSet<Key> _keys = [];
    private readonly Queue<Key> _round = new();
    private volatile bool _isEmpty = true;

    /// <summary>Keys remembered.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _keys.Count;
        }
    }

    /// <summary>A client's command has changed something, and still holds its keys: those that have an expiry are remembered.</summary>
    public void Note(ref CommandContext context)
    {
        List<KeyPosition> positions = [];
        if (!context.Command.IsWrite || !KeyExtractor.TryGetKeys(context.Command, context, 0, positions))
            return;
        foreach (KeyPosition position in positions)
        {
            ExpiryReader reader = default;
            ReadOnlySpan<byte> key = context[position.Index];
            if (context.Store.Reads.ReadAny(key, context.Hash(position.Index), ref reader) == ReadOutcome.Found && reader.Expires)
                Remember(new Key(context.Store.Database, key.ToArray()));
        }
    }

    /// <summary>All are forgotten: the server became a primary, or its data was replaced.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            _keys.Clear();
            _round.Clear();
            _isEmpty = true;
        }
    }

    /// <summary>Removes those whose time has come, a bounded number at a time. Called by the clock.</summary>
    public void Tick()
    {
        if (_isEmpty)
            return;
        Key[] some;
        lock (_gate)
        {
            if (_round.Count == 0)
            {
                foreach (Key key in _keys)
                    _round.Enqueue(key);
            }

            some = [.. Enumerable.Range(0, Math.Min(KeysPerTick, _round.Count)).Select(_ => _round.Dequeue())];
        }

        using StoreSession session = store.OpenSession();
        using StoreVisit visit = new(session);
        foreach (Key key in some)
        {
            if (!StillExpires(session, key))
                Forget(key);
            session.EndCommand();
        }
    }

    private bool StillExpires(StoreSession session, Key key)
    {
        RecordHandle record = session.OpenExpired(key.Database, key.Bytes, session.Hash(key.Bytes));
        if (!record.Exists)
            return false;
        bool keyExpires = record.ExpiresAtMs >= 0;
        if (keyExpires && record.ExpiresAtMs < session.NowMs)
        {
            record.Latched.RemoveIfExpired(session.NowMs);
            return false;
        }

        bool fieldsExpire =
            DataTypeTable.HasElementExpiry(record.Type)
            && new FieldExpiry(store).RemoveDue(session, record, key.Database, key.Bytes) != long.MaxValue;
        return keyExpires || fieldsExpire;
    }

    private void Remember(Key key)
    {
        lock (_gate)
        {
            _keys.Add(key);
            _isEmpty = false;
        }
    }

    private void Forget(Key key)
    {
        lock (_gate)
        {
            _keys.Remove(key);
            _isEmpty = _keys.Count == 0;
        }
    }

    // Whether the key or one of its fields expires; its latch is held.
    private struct ExpiryReader : IKeyReader
    {
        public bool Expires { get; private set; }

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info) =>
            Expires =
                info.ExpiresAtMs >= 0 || (DataTypeTable.HasElementExpiry(info.Type) && FieldExpiry.EarliestOf(value) != long.MaxValue);
    }

    private readonly record struct Key(int Database, byte[] Bytes)
    {
        public bool Equals(Key other) => Database == other.Database && Bytes.AsSpan().SequenceEqual(other.Bytes);

        public override int GetHashCode()
        {
            HashCode hash = default;
            hash.Add(Database);
            hash.AddBytes(Bytes);
            return hash.ToHashCode();
        }
    }
}
