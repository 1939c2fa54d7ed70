// Random histories of DUMP and RESTORE, with generated payloads: intact, damaged, and of every type in its plain encoding. One thread.
using System.Buffers;
using Garnet.Persistence.Rdb;
using Garnet.Protocol;

namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class DumpCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    private readonly RdbPayloadWriter _strings = new(compress: true, DoubleText.FormatShortest);

    public override void Next()
    {
        switch (Source.Random.Next(30))
        {
            case <= 4:
                Emit("SET", Source.Key(), Source.Value());
                break;
            case <= 9:
                Emit("DUMP", Source.Key());
                break;
            case <= 19:
                Restore();
                break;
            case 20:
                Emit("DEL", Source.Key());
                break;
            case 21 or 22:
                Emit(Source.Pick("PTTL", "PEXPIRETIME"), Source.Key());
                break;
            case 23:
                Emit("TYPE", Source.Key());
                break;
            case 24 when IsValkey:
                EmitExactly("OBJECT", "ENCODING", Source.Pick("c1", "c2"));
                break;
            case 25:
                Emit(Source.Pick("HLEN", "SCARD"), Source.Pick("c1", "c2"));
                break;
            case 26:
                Emit(Source.Pick("HGET", "SISMEMBER"), Source.Pick("c1", "c2"), Element());
                break;
            default:
                Emit("GET", Source.Key());
                break;
        }
    }

    private void Restore()
    {
        var options = new List<byte[]>();
        bool isAbsolute = Source.OneIn(3);
        if (Source.OneIn(2))
            options.Add(Source.Token("REPLACE"));
        if (isAbsolute)
            options.Add(Source.Token("ABSTTL"));
        if (Source.OneIn(6))
            options.AddRange([Source.Token("IDLETIME"), Source.Integer()]);
        if (Source.OneIn(6))
            options.AddRange([Source.Token("FREQ"), Source.Integer()]);
        if (Source.OneIn(20))
            options.Add(Source.Token("BOGUS"));
        byte[] ttl =
            Source.OneIn(2) ? ArgumentSource.Bytes("0")
            : isAbsolute ? Source.UnixMilliseconds()
            : Source.Milliseconds();
        bool isCollection = Source.OneIn(3);
        byte[] payload = isCollection ? Collection() : _strings.EncodeString(Source.Value()).ToArray();
        EmitInOrder("RESTORE", isCollection ? ArgumentSource.Bytes(Source.Pick("c1", "c2")) : Source.Key(), ttl, Damaged(payload), options);
    }

    private byte[] Damaged(byte[] payload)
    {
        switch (Source.Random.Next(12))
        {
            case 0:
                payload[Source.Random.Next(payload.Length)] ^= (byte)(1 << Source.Random.Next(8));
                return payload;
            case 1:
                return payload[..Source.Random.Next(payload.Length)];
            case 2:
                return Source.Value();
            case 3:
                // An unknown type with a correct checksum.
                payload[0] = Source.Pick<byte>(6, 8, 60, 255);
                return Sealed(payload[..^10], version: 10);
            case 4:
                return Sealed(payload[..^10], version: IsValkey ? Source.Pick<ushort>(0, 200, 1000) : Source.Pick<ushort>(200, 1000));
            default:
                return payload;
        }
    }

    private byte[] Collection()
    {
        var bytes = new ArrayBufferWriter<byte>();
        var writer = new RdbWriter(bytes, new RdbWriterOptions());
        RdbType type = Source.Pick(RdbType.List, RdbType.Set, RdbType.Hash, RdbType.SortedSet);
        byte[][] elements = [.. Enumerable.Range(0, Source.OneIn(5) ? 140 : Source.Random.Next(1, 12)).Select(_ => Element())];
        if (type != RdbType.List)
            elements = [.. elements.DistinctBy(Convert.ToHexString)];
        // No elements, or duplicates: the payload is rejected, although Redis 7.0 trusts hashes.
        if (Source.OneIn(15))
            elements = Source.OneIn(2) || (type == RdbType.Hash && !IsValkey) ? [] : [.. elements, .. elements];
        writer.WriteRaw([(byte)type]);
        writer.WriteLength((ulong)elements.Length);
        foreach (byte[] element in elements)
        {
            writer.WriteString(element);
            if (type == RdbType.Hash)
                writer.WriteString(Element());
            if (type == RdbType.SortedSet)
                writer.WriteDouble(Source.Pick(0, -1.5, 1e100, double.PositiveInfinity, Source.Random.Next(100)));
        }

        return Sealed(bytes.WrittenSpan.ToArray(), version: 10);
    }

    private byte[] Element() =>
        Source.OneIn(30)
            ? ArgumentSource.Bytes(new string('e', Source.Random.Next(60, 70)))
            : ArgumentSource.Bytes($"{(Source.OneIn(2) ? "" : "e")}{Source.Random.Next(200)}");

    private static byte[] Sealed(byte[] body, ushort version)
    {
        byte[] payload = [.. body, .. BitConverter.GetBytes(version)];
        return [.. payload, .. BitConverter.GetBytes(Crc64.Append(0, payload))];
    }
}
