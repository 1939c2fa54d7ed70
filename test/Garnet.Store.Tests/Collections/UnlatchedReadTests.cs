// Reads without a latch return consistent values or none, while writers change, convert, move and remove collections.
using System.Buffers.Binary;
using System.Text;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;
using Garnet.Testing;
using Xunit;

namespace Garnet.Store.Tests.Collections;

public sealed class UnlatchedReadTests
{
    private const int Keys = 8;
    private const int Fields = 120;

    [Fact]
    public void Readers_find_each_field_with_its_own_value()
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16 }, TimeProvider.System);
        byte[][] keys = Enumerable.Range(0, Keys).Select(i => Encoding.ASCII.GetBytes("key" + i)).ToArray();
        byte[][] fields = Enumerable.Range(0, Fields).Select(i => Encoding.ASCII.GetBytes("field" + i)).ToArray();
        bool stop = false;
        var failures = new List<string>();
        Thread[] readers = Enumerable
            .Range(0, 2)
            .Select(seed => new Thread(() => Read(store, keys, fields, seed, failures, ref stop)))
            .ToArray();
        var maintenance = new Thread(() =>
        {
            while (!Volatile.Read(ref stop))
                store.Maintenance.Run();
        });
        foreach (Thread reader in readers)
            reader.Start();

        maintenance.Start();
        Write(store, keys, fields, 60_000);
        Volatile.Write(ref stop, true);
        maintenance.Join();
        foreach (Thread reader in readers)
            reader.Join();

        Assert.Empty(failures);
    }

    private static void Read(HybridLogStore store, byte[][] keys, byte[][] fields, int seed, List<string> failures, ref bool stop)
    {
        using StoreSession session = store.OpenSession();
        var random = new Random(seed);
        long found = 0;
        // A thread that began late reads what remains.
        for (int batches = 0; !Volatile.Read(ref stop) || (found == 0 && batches < 100_000); batches++)
        {
            session.EnterBatch();
            for (int i = 0; i < 100; i++)
            {
                byte[] key = keys[random.Next(Keys)];
                int field = random.Next(Fields);
                var reader = new FieldReader { Field = fields[field], NowMs = session.NowMs };
                if (session.Reads.Read(key, session.Hash(key), RecordType.Hash, ref reader) == ReadOutcome.Found && reader.Length > 0)
                {
                    found++;
                    if (reader.Number != field || reader.Length < 9)
                    {
                        lock (failures)
                            failures.Add($"field {field}: {reader.Number}, {reader.Length} bytes");
                    }
                }

                session.EndCommand();
            }

            session.LeaveBatch();
        }

        lock (failures)
        {
            if (found == 0)
                failures.Add("nothing was ever found");
        }
    }

    private static void Write(HybridLogStore store, byte[][] keys, byte[][] fields, int changes)
    {
        using StoreSession session = store.OpenSession();
        int seed = TestSeed.Choose(1);
        var random = new Random(seed);
        byte[] value = new byte[200];
        for (int i = 0; i < changes; i++)
        {
            session.EnterBatch();
            byte[] key = keys[random.Next(Keys)];
            int field = random.Next(Fields);
            RecordHandle record = session.Open(key, session.Hash(key));
            switch (random.Next(200))
            {
                case 0:
                    record.Delete();
                    break;
                case 1:
                    record.Set("a string in between"u8);
                    record.Delete();
                    break;
                case < 60:
                    var smaller = new HashValue(record);
                    smaller.Remove(fields[field]);
                    break;
                default:
                    var hash = new HashValue(record);
                    BinaryPrimitives.WriteInt32LittleEndian(value, field);
                    hash.Set(fields[field], value.AsSpan(0, random.Next(9, random.Next(100) == 0 ? 200 : 40)));
                    break;
            }

            session.LeaveBatch();
        }
    }

    private struct FieldReader : IValueReader
    {
        public byte[] Field;
        public long NowMs;
        public int Length;
        public int Number;

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
        {
            Span<byte> copy = stackalloc byte[256];
            Length = 0;
            if (new HashView(value, info, NowMs).TryGet(Field, out PackedElement element) && element.Length <= copy.Length)
            {
                element.CopyTo(copy);
                Length = element.Length;
                Number = BinaryPrimitives.ReadInt32LittleEndian(copy);
            }
        }
    }
}
