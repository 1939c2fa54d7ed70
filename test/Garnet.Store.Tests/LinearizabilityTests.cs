// Concurrent random histories on few keys, with forced index growth, shrinking and compaction, must be linearizable for each key.
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests;

public sealed class LinearizabilityTests(ITestOutputHelper output)
{
    private const int Threads = 4;
    private const int Keys = 3;
    private const int OperationsPerWindow = 6;
    private const int Windows = 250;

    [Fact]
    public void Histories_of_concurrent_clients_are_linearizable()
    {
        int seed = TestSeed.ChooseAnew(output);
        var time = new VirtualTime();
        using var store = new HybridLogStore(
            new StoreOptions
            {
                PageSizeBits = 16,
                BlockThresholdBytes = 128,
                HashSeed = (ulong)seed,
            },
            time
        );
        KeyHistory[] histories = Enumerable.Range(0, Keys).Select(_ => new KeyHistory()).ToArray();
        List<(int Key, KeyHistory.Operation)>[] logs = Enumerable
            .Range(0, Threads)
            .Select(_ => new List<(int Key, KeyHistory.Operation)>())
            .ToArray();
        string? failure = null;
        long ticks = 0;
        bool stop = false;
        using var meeting = new Barrier(
            Threads,
            _ =>
            {
                failure ??= Check(histories, logs, time);
                time.Advance(2);
            }
        );
        var disturber = new Thread(() => Disturb(store, seed, ref stop));
        disturber.Start();
        Thread[] threads = Enumerable
            .Range(0, Threads)
            .Select(t => new Thread(() =>
            {
                using var client = new StoreClient(store);
                var random = new Random(seed + t);
                for (int window = 0; window < Windows; window++)
                {
                    for (int i = 0; i < OperationsPerWindow; i++)
                        logs[t].Add(Perform(client, random, time, ref ticks));

                    meeting.SignalAndWait();
                    if (failure is not null)
                        return;
                }
            }))
            .ToArray();
        foreach (Thread thread in threads)
            thread.Start();

        foreach (Thread thread in threads)
            thread.Join();

        Volatile.Write(ref stop, true);
        disturber.Join();
        Assert.True(failure is null, failure);
    }

    private static string? Check(KeyHistory[] histories, List<(int Key, KeyHistory.Operation Operation)>[] logs, VirtualTime time)
    {
        for (int key = 0; key < histories.Length; key++)
        {
            var window = logs.SelectMany(log => log).Where(entry => entry.Key == key).Select(entry => entry.Operation).ToList();
            if (!histories[key].TryAdvance(window, time.NowMs))
                return $"key {key}: nothing explains\n" + string.Join("\n", window.OrderBy(operation => operation.Began));
        }

        foreach (List<(int, KeyHistory.Operation)> log in logs)
            log.Clear();

        return null;
    }

    private static (int Key, KeyHistory.Operation Operation) Perform(StoreClient client, Random random, VirtualTime time, ref long ticks)
    {
        int number = random.Next(Keys);
        byte[] key = Encoding.UTF8.GetBytes("key-" + number);
        string name = random.Next(10) switch
        {
            < 4 => "GET",
            < 6 => "SET",
            6 => "DEL",
            7 => "APPEND",
            _ => "INCR",
        };
        string argument = name == "SET" ? new string((char)('1' + random.Next(9)), random.Next(1, random.Next(4) == 0 ? 300 : 12)) : "7";
        long expires = name == "SET" && random.Next(3) == 0 ? time.NowMs + random.Next(8) : -1;
        long began = Interlocked.Increment(ref ticks);
        string? result = name == "GET" ? SlowGet(client.Session, key) : Change(client.Session, key, name, argument, expires);
        long ended = Interlocked.Increment(ref ticks);
        return (number, new KeyHistory.Operation(name, argument, expires, result, began, ended));
    }

    private static string? SlowGet(StoreSession session, byte[] key)
    {
        var reader = new SlowReader();
        session.EnterBatch();
        ReadOutcome outcome = session.Reads.Read(key, session.Hash(key), RecordType.String, ref reader);
        session.LeaveBatch();
        return outcome == ReadOutcome.Found ? reader.Value : null;
    }

    private static string? Change(StoreSession session, byte[] key, string name, string argument, long expires)
    {
        session.EnterBatch();
        RecordHandle handle = session.Open(key, session.Hash(key));
        string? result = null;
        switch (name)
        {
            case "SET":
                handle.Set(Encoding.UTF8.GetBytes(argument), expires);
                WriteSlowly(ref handle);
                break;
            case "DEL":
                result = handle.Delete() ? "1" : "0";
                break;
            case "APPEND":
                int before = handle.Length;
                Encoding.UTF8.GetBytes(argument, handle.Resize(before + argument.Length)[before..]);
                result = handle.Length.ToString();
                break;
            case "INCR":
                string? old = handle.Exists ? Encoding.UTF8.GetString(handle.Value) : null;
                result = (KeyHistory.Number(old) + 1).ToString();
                handle.Set(Encoding.UTF8.GetBytes(result), handle.ExpiresAtMs);
                break;
        }

        session.LeaveBatch();
        return result;
    }

    // Yields in the middle of a change, so that readers without a latch see half-written values even on one core.
    private static void WriteSlowly(ref RecordHandle handle)
    {
        Span<byte> value = handle.Mutate();
        byte wanted = value[0];
        value[..(value.Length / 2)].Clear();
        Thread.Yield();
        value[..(value.Length / 2)].Fill(wanted);
    }

    // Yields in the middle of a read.
    private struct SlowReader : IValueReader
    {
        public string Value;

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
        {
            int half = value.Length / 2;
            byte[] copy = new byte[value.Length];
            value[..half].CopyTo(copy);
            Thread.Yield();
            value[half..].CopyTo(copy.AsSpan(half));
            Value = Encoding.UTF8.GetString(copy);
        }
    }

    // Repeatedly grows and shrinks the index, fills pages with records that die, and runs compaction.
    private static void Disturb(HybridLogStore store, int seed, ref bool stop)
    {
        using var client = new StoreClient(store);
        var random = new Random(seed);
        int round = 0;
        while (!Volatile.Read(ref stop))
        {
            int keys = 200 + random.Next(2000);
            for (int i = 0; i < keys; i++)
                client.Set($"other-{i}", new string('o', random.Next(200)));

            store.Maintenance.Run();
            for (int i = 0; i < keys; i++)
            {
                if (round % 4 == 3 || random.Next(2) == 0)
                    client.Delete($"other-{i}");
            }

            for (int i = 0; i < 10; i++)
                store.Maintenance.Run();

            round++;
        }
    }
}
