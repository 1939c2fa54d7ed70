// A random history of several threads over one store, with a model of its content. Each thread has its own keys; whole databases are
// changed under the barrier.
using System.Text;

namespace Garnet.Store.Tests;

/// <summary>
/// A thread changes its model within the command that changes the store, so that at a snapshot's version change, when no command is
/// running, models and store agree exactly.
/// </summary>
internal sealed class SnapshotHistory(HybridLogStore store, VirtualTime time, int seed, int threads, int keysPerThread)
{
    public const int Databases = 3;
    private const int ExpiryHorizonMs = 50;
    private readonly Dictionary<string, Entry>[] _models =
    [
        .. Enumerable.Range(0, threads).Select(static _ => new Dictionary<string, Entry>()),
    ];
    private bool _stop;

    /// <summary>A value and when it expires, -1 for never.</summary>
    internal readonly record struct Entry(string Value, long ExpiresAtMs);

    public void Stop() => Volatile.Write(ref _stop, true);

    /// <summary>All keys, by database and name; called while no command is running.</summary>
    public Dictionary<string, Entry> Copy()
    {
        var copy = new Dictionary<string, Entry>();
        foreach (Dictionary<string, Entry> model in _models)
        {
            foreach ((string key, Entry entry) in model)
                copy.Add(key, entry);
        }

        return copy;
    }

    public void Run(int thread)
    {
        using StoreSession session = store.OpenSession();
        var random = new Random(seed + thread);
        Dictionary<string, Entry> model = _models[thread];
        while (!Volatile.Read(ref _stop))
        {
            session.EnterBatch();
            for (int i = 0; i < 8; i++)
            {
                session.Database = random.Next(10) == 0 ? random.Next(Databases) : 0;
                Step(session, random, model, thread);
                session.EndCommand();
            }

            session.LeaveBatch();
            if (random.Next(4000) == 0)
                ChangeDatabases(session, random);

            if (random.Next(64) == 0)
                Thread.Sleep(0);
        }
    }

    private void Step(StoreSession session, Random random, Dictionary<string, Entry> model, int thread)
    {
        byte[] key = KeyOf(thread, random.Next(keysPerThread));
        string name = NameOf(session.Database, key);
        switch (random.Next(20))
        {
            case < 3:
                session.Open(key, session.Hash(key)).Delete();
                model.Remove(name);
                break;
            case < 5:
                // Expires soon, and is removed by the next access.
                Set(session, model, key, ValueOf(random), time.NowMs + random.Next(ExpiryHorizonMs));
                time.Advance(random.Next(3) == 0 ? 1 : 0);
                break;
            case < 7:
                Set(session, model, key, ValueOf(random), time.NowMs + 100_000_000 + random.Next(1000));
                break;
            case < 9:
                Append(session, model, key, random);
                break;
            case < 11:
                Rename(session, model, thread, random);
                break;
            case < 13:
                SetSeveral(session, model, thread, random);
                break;
            default:
                Set(session, model, key, ValueOf(random), -1);
                break;
        }
    }

    private static void Set(StoreSession session, Dictionary<string, Entry> model, byte[] key, string value, long expiresAtMs)
    {
        session.Open(key, session.Hash(key)).Set(Encoding.Latin1.GetBytes(value), expiresAtMs);
        model[NameOf(session.Database, key)] = new Entry(value, expiresAtMs);
    }

    // In place if it fits, or in the block, as APPEND and SETRANGE do.
    private static void Append(StoreSession session, Dictionary<string, Entry> model, byte[] key, Random random)
    {
        RecordHandle record = session.Open(key, session.Hash(key));
        string name = NameOf(session.Database, key);
        if (!record.Exists)
        {
            model.Remove(name);
            return;
        }

        Entry entry = model[name];
        int before = record.Length;
        string more = new((char)('a' + random.Next(26)), random.Next(40));
        Encoding.Latin1.GetBytes(more).CopyTo(record.Resize(before + more.Length)[before..]);
        model[name] = entry with { Value = entry.Value + more };
    }

    private void Rename(StoreSession session, Dictionary<string, Entry> model, int thread, Random random)
    {
        byte[] from = KeyOf(thread, random.Next(keysPerThread));
        byte[] to = KeyOf(thread, random.Next(keysPerThread));
        session.Latch([new KeyReference(session.Database, session.Hash(from)), new KeyReference(session.Database, session.Hash(to))]);
        RecordHandle source = session.Open(from, session.Hash(from));
        if (!source.Exists || from.AsSpan().SequenceEqual(to))
            return;

        byte[] value = source.Value.ToArray();
        long expires = source.ExpiresAtMs;
        source.Delete();
        session.Open(to, session.Hash(to)).Set(value, expires);
        model.Remove(NameOf(session.Database, from));
        model[NameOf(session.Database, to)] = new Entry(Encoding.Latin1.GetString(value), expires);
    }

    // Like a transaction: a snapshot contains all or none of the changes.
    private void SetSeveral(StoreSession session, Dictionary<string, Entry> model, int thread, Random random)
    {
        byte[][] keys = [.. Enumerable.Range(0, 1 + random.Next(5)).Select(_ => KeyOf(thread, random.Next(keysPerThread)))];
        session.Latch([.. keys.Select(key => new KeyReference(session.Database, session.Hash(key)))]);
        foreach (byte[] key in keys)
            Set(session, model, key, ValueOf(random), -1);
    }

    private void ChangeDatabases(StoreSession session, Random random)
    {
        session.BeginExclusive();
        int a = random.Next(Databases);
        int b = random.Next(Databases);
        if (random.Next(3) == 0)
        {
            store.Databases.Flush(session, a);
            Rename(name => DatabaseOf(name) == a ? null : name);
        }
        else
        {
            store.Databases.Swap(session, a, b);
            Rename(name =>
                DatabaseOf(name) == a ? b + name[1..]
                : DatabaseOf(name) == b ? a + name[1..]
                : name
            );
        }

        session.EndExclusive();
    }

    private void Rename(Func<string, string?> rename)
    {
        foreach (Dictionary<string, Entry> model in _models)
        {
            KeyValuePair<string, Entry>[] before = [.. model];
            model.Clear();
            foreach ((string name, Entry entry) in before)
            {
                if (rename(name) is { } renamed)
                    model[renamed] = entry;
            }
        }
    }

    private static int DatabaseOf(string name) => name[0] - '0';

    public static string NameOf(int database, ReadOnlySpan<byte> key) => $"{database}/{Encoding.Latin1.GetString(key)}";

    // A few keys are so long that they are stored in blocks.
    private static byte[] KeyOf(int thread, int number) =>
        Encoding.Latin1.GetBytes(
            $"{thread}:{number}{(number % 97 == 0 ? new string('k', 8000) : number % 31 == 0 ? new string('k', 300) : "")}"
        );

    private static string ValueOf(Random random) =>
        random.Next(1000) + new string('v', random.Next(60) == 0 ? random.Next(8000) : random.Next(120));
}
