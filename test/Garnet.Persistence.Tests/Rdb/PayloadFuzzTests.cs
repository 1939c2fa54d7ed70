// Untrusted payloads with correct checksums: either rejected or accepted, never anything else. A million of them on request (FaultScale).
using System.Buffers.Binary;
using Garnet.Persistence.Rdb;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Persistence.Tests.Rdb;

public sealed class PayloadFuzzTests(ITestOutputHelper output)
{
    private const int FooterBytes = 10;
    private static readonly string[] Bodies =
    [
        "00 0568656C6C6F",
        "00 C3 09 4040 01 6565 E0 33 00 01 6565",
        "01 03 0161 C005 0162",
        "02 03 0161 C005 0162",
        "03 02 0161 FE 0162 03 322E35",
        "04 02 0161 0162 C003 0164",
        "05 02 0161 0000000000001440 0162 000000000000F0BF",
        "09 09 01 01 61 02 01 6262 78 FF",
        "0A 10 10000000 0D000000 0200 00 0161 03 F6 FF",
        "0B 0C 02000000 02000000 FFFF 0500",
        "0C 10 10000000 0D000000 0200 00 0161 03 F6 FF",
        "0D 10 10000000 0D000000 0200 00 0161 03 F6 FF",
        "0E 01 10 10000000 0D000000 0200 00 0161 03 F6 FF",
        "10 0C 0C000000 0200 816102 0501 FF",
        "11 0C 0C000000 0200 816102 0501 FF",
        "12 02 01 0162 02 0C 0C000000 0200 816102 0501 FF",
        "14 0C 0C000000 0200 816102 0501 FF",
        "16 02 0161 0162 FFFFFFFFFFFFFFFF 0163 0164 00F0000000040000",
        "18 00F0000000040000 02 00 0161 0162 01 0163 0164",
        "13 01 10 00000000000003E80000000000000001 1D 1D000000 0A00 0101 0001 0101 816602 0001 0201 0001 0001 817602 0401 FF 01 43E8 01 43E8 01 00 00 01 01 0167 43E8 01 01 "
            + "01 00000000000003E80000000000000001 0100000000000000 01 01 0163 0100000000000000 01 00000000000003E80000000000000001",
    ];

    [Fact]
    public void Changed_payloads_are_rejected_or_accepted()
    {
        var random = new Random(TestSeed.Choose(output, 1));
        int payloads = FaultScale.Count(20_000, 1_000_000);
        using var store = new LoadedStore();
        using StoreSession session = store.Store.OpenSession();
        var reader = new RdbPayloadReader();
        var writer = new RdbPayloadWriter(compress: true, LoadedStore.FormatScore);
        int taken = 0;
        for (int i = 0; i < payloads; i++)
        {
            byte[] payload = Changed(
                random,
                Convert.FromHexString(Bodies[i % Bodies.Length].Replace(" ", "", StringComparison.Ordinal)),
                changes: i < Bodies.Length ? 0 : random.Next(1, 4)
            );
            Assert.True(RdbPayloadReader.IsIntact(payload, takesAnyVersion: true));
            session.EnterBatch();
            bool isTaken = reader.TryRead(session, payload, out RdbRestoredValue value);
            Assert.True(isTaken || i >= Bodies.Length, $"Payload {i} is refused as it is.");
            if (isTaken)
                Store(session, writer, value);
            session.LeaveBatch();
            taken += isTaken ? 1 : 0;
        }

        output.WriteLine($"{taken} of {payloads} payloads were taken");
        Assert.InRange(taken, payloads / 100, payloads - (payloads / 100));
        Assert.Equal(0, store.Store.Databases.KeyCount(0));
    }

    // What was accepted can be written again, and removed.
    private static void Store(StoreSession session, RdbPayloadWriter writer, RdbRestoredValue value)
    {
        RecordHandle record = session.Open("k"u8, session.Hash("k"u8));
        value.StoreTo(ref record, -1);
        if (record.Type == RecordType.String)
        {
            writer.EncodeString(record.Value);
        }
        else if (record.Type == RecordType.Stream)
        {
            writer.EncodeStream(record.Contents.OpenStream());
        }
        else
        {
            CollectionImage collection = record.Contents.OpenCollection();
            writer.EncodeCollection(ref collection);
        }

        Assert.True(RdbPayloadReader.IsIntact(writer.Written));
        record.Delete();
    }

    private static byte[] Changed(Random random, byte[] body, int changes)
    {
        for (; changes > 0; changes--)
        {
            int at = random.Next(body.Length);
            switch (random.Next(6))
            {
                case 0:
                    body[at] = (byte)random.Next(256);
                    break;
                case 1:
                    body[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 2:
                    body[at] = random.Next(2) == 0 ? (byte)0xFF : (byte)0;
                    break;
                case 3:
                    body = [.. body[..at], .. body[random.Next(body.Length)..]];
                    break;
                case 4:
                    body = [.. body[..at], (byte)random.Next(256), .. body[at..]];
                    break;
                default:
                    body[at]++;
                    break;
            }

            if (body.Length == 0)
                body = [0];
        }

        byte[] payload = [.. body, .. new byte[FooterBytes]];
        ushort version =
            body[0] == 22 ? (ushort)80
            : body[0] is 24 or 25 ? (ushort)12
            : (ushort)10;
        BinaryPrimitives.WriteUInt16LittleEndian(payload.AsSpan(body.Length), version);
        BinaryPrimitives.WriteUInt64LittleEndian(payload.AsSpan(body.Length + 2), Crc64.Append(0, payload.AsSpan(0, body.Length + 2)));
        return payload;
    }
}
