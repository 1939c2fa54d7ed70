// The few commands that tests need, each in its own batch, on one session. Used by one thread at a time.
using System.Text;

namespace Garnet.Store.Tests;

/// <summary>Commands with string arguments and results.</summary>
internal sealed class StoreClient(HybridLogStore store) : IDisposable
{
    public StoreSession Session { get; } = store.OpenSession();

    public string? Get(string key, int database = 0)
    {
        byte[]? value = GetBytes(Encoding.UTF8.GetBytes(key), database);
        return value is null ? null : Encoding.UTF8.GetString(value);
    }

    public byte[]? GetBytes(byte[] key, int database = 0)
    {
        Session.EnterBatch();
        Session.Database = database;
        var reader = new CopyingReader();
        ReadOutcome outcome = Session.Reads.Read(key, Session.Hash(key), RecordType.String, ref reader);
        Session.LeaveBatch();
        return outcome == ReadOutcome.Found ? reader.Value : null;
    }

    public void Set(string key, string value, long expiresAtMs = -1, int database = 0) =>
        SetBytes(Encoding.UTF8.GetBytes(key), Encoding.UTF8.GetBytes(value), expiresAtMs, database);

    public void SetBytes(byte[] key, byte[] value, long expiresAtMs = -1, int database = 0)
    {
        Session.EnterBatch();
        RecordHandle handle = Session.Open(database, key, Session.Hash(key));
        handle.Set(value, expiresAtMs);
        Session.LeaveBatch();
    }

    public bool Delete(string key, int database = 0) => DeleteBytes(Encoding.UTF8.GetBytes(key), database);

    public bool DeleteBytes(byte[] key, int database = 0)
    {
        Session.EnterBatch();
        RecordHandle handle = Session.Open(database, key, Session.Hash(key));
        bool deleted = handle.Delete();
        Session.LeaveBatch();
        return deleted;
    }

    public void Append(byte[] key, byte[] more)
    {
        Session.EnterBatch();
        RecordHandle handle = Session.Open(0, key, Session.Hash(key));
        int before = handle.Length;
        more.CopyTo(handle.Resize(before + more.Length)[before..]);
        Session.LeaveBatch();
    }

    public List<string> ScanAll(int database = 0, int buckets = 1)
    {
        var visitor = new CollectingVisitor([]);
        long cursor = 0;
        do
        {
            Session.EnterBatch();
            cursor = Session.Reads.Scan(database, cursor, buckets, ref visitor);
            Session.LeaveBatch();
        } while (cursor != 0);
        return visitor.Keys;
    }

    public void Dispose() => Session.Dispose();

    internal struct CopyingReader : IValueReader
    {
        public byte[] Value;
        public RecordInfo Info;

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
        {
            Value = value.ToArray();
            Info = info;
        }
    }

    internal readonly struct CollectingVisitor(List<string> keys) : IKeyVisitor
    {
        public List<string> Keys => keys;

        public bool SeesExpired => false;

        public void Visit(ReadOnlySpan<byte> key, in RecordInfo info) => keys.Add(Encoding.UTF8.GetString(key));
    }
}
