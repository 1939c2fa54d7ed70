// DEBUG DIGEST and DEBUG DIGEST-VALUE. Stateless; runs under the barrier, so no other client executes a command meanwhile.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Store;

namespace Garnet.Server.Commands.Debugging;

/// <summary>Replies with digests of all data, or of single values, without counting as an access to them.</summary>
internal static class DebugDigest
{
    private const int BucketsAtOnce = 64;

    /// <summary>
    /// Digests every key of every database that is not empty, in the order of databases, including expired keys that have not been removed
    /// yet.
    /// </summary>
    public static void WriteAll(ref CommandContext context)
    {
        if (!context.Client.Executor.TryBeginAlone(ref context))
            return;
        using Untouching untouching = new(context.Store);
        ContentDigest all = new();
        StoreDatabases databases = context.Store.Store.Databases;
        for (int database = 0; database < databases.Count; database++)
        {
            if (databases.KeyCount(database) == 0)
                continue;
            all.Append(database);
            AddKeys(context.Store, database, all);
        }

        Write(ref context, all.Sum);
    }

    /// <summary>Digests the values of the keys from argument 2 on; an absent key has the digest zero.</summary>
    public static void WriteValues(ref CommandContext context)
    {
        StoreSession store = context.Store;
        if (!context.Client.Executor.TryBeginAlone(ref context))
            return;
        using Untouching untouching = new(store);
        ContentDigest digest = new();
        ValueDigest values = new();
        context.Reply.WriteArray(context.Count - 2);
        for (int i = 2; i < context.Count; i++)
        {
            digest.Clear();
            RecordHandle record = store.OpenExpired(store.Database, context[i], context.Hash(i));
            if (record.Exists)
                values.AddTo(digest, in record, store.NowMs);
            Write(ref context, digest.Sum);
        }
    }

    private static void AddKeys(StoreSession store, int database, ContentDigest all)
    {
        ContentDigest digest = new();
        ValueDigest values = new();
        var keys = new KeyList([]);
        long cursor = 0;
        do
        {
            keys.Keys.Clear();
            cursor = store.Reads.Scan(database, cursor, BucketsAtOnce, ref keys);
            foreach (byte[] key in keys.Keys)
            {
                digest.Clear();
                digest.Append(key);
                RecordHandle record = store.OpenExpired(database, key, store.Hash(key));
                values.AddTo(digest, in record, store.NowMs);
                all.Add(digest.Sum);
            }
        } while (cursor != 0);
    }

    private static void Write(ref CommandContext context, ReadOnlySpan<byte> sum) =>
        context.Reply.WriteSimpleString(Encoding.ASCII.GetBytes(Convert.ToHexStringLower(sum)));

    // While it exists, nothing counts as an access.
    private readonly ref struct Untouching : IDisposable
    {
        private readonly StoreSession _store;
        private readonly bool _touched;

        public Untouching(StoreSession store)
        {
            _store = store;
            _touched = store.Accesses.Touches;
            store.Accesses.Touches = false;
        }

        public void Dispose() => _store.Accesses.Touches = _touched;
    }

    private readonly struct KeyList(List<byte[]> keys) : IKeyVisitor
    {
        public List<byte[]> Keys { get; } = keys;

        public bool SeesExpired => true;

        public void Visit(ReadOnlySpan<byte> key, in RecordInfo info) => Keys.Add(key.ToArray());
    }
}
