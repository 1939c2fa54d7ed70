// Random histories of the hash commands. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class HashCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    private static readonly string[] OddCounts =
    [
        "0",
        "-1",
        "abc",
        "",
        "1.5",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
    ];

    public override void Next()
    {
        switch (Source.Random.Next(48))
        {
            case <= 8:
                Emit(Source.Pick("HSET", "HSET", "HMSET"), Source.Key(), Source.OneIn(30) ? ManyPairs() : Pairs(5));
                break;
            case <= 10:
                Emit("HSETNX", Source.Key(), Field(), Source.Value());
                break;
            case <= 13:
                Emit(Source.Pick("HGET", "HGET", "HEXISTS", "HSTRLEN"), Source.Key(), Field());
                break;
            case <= 15:
                Emit("HMGET", Source.Key(), Fields());
                break;
            case <= 19:
                Emit(Source.Pick("HGETALL", "HGETALL", "HKEYS", "HVALS", "HLEN"), Source.Key());
                break;
            case <= 22:
                Emit("HDEL", Source.Key(), Fields());
                break;
            case <= 25:
                Emit("HINCRBY", Source.Key(), Field(), Source.Integer());
                break;
            case <= 28:
                Emit("HINCRBYFLOAT", Source.Key(), Field(), Source.Float());
                break;
            case <= 30:
                Random();
                break;
            case <= 32:
                Scan();
                break;
            case 33:
                Emit(Source.Pick("TYPE", "EXISTS", "DEL", "PERSIST", "SET"), Source.Key(), Source.OneIn(3) ? new[] { Source.Key() } : []);
                break;
            case 34:
                Emit(Source.Pick("COPY", "RENAME", "RENAMENX"), Source.Key(), Source.Key());
                break;
            case 35:
                Emit("SADD", Source.Key(), Source.Value());
                break;
            case 36 when IsValkey:
                Emit("OBJECT", "ENCODING", Source.Key());
                break;
            case <= 40 when IsValkey:
                Expire();
                break;
            case <= 42 when IsValkey:
                Emit(Source.Pick("HTTL", "HPTTL", "HEXPIRETIME", "HPEXPIRETIME", "HPERSIST"), Source.Key(), FieldList(1));
                break;
            case <= 44 when IsValkey:
                SetWithExpiry();
                break;
            case 45 when IsValkey:
                GetWithExpiry();
                break;
            case 46 when IsValkey:
                Emit("HGETDEL", Source.Key(), FieldList(1));
                break;
            default:
                Emit("HGET", Source.Key(), Field());
                break;
        }
    }

    private byte[] Field() =>
        Source.Random.Next(12) switch
        {
            0 => Source.Value(),
            1 => ArgumentSource.Bytes(Source.Pick("", "1", "-7", "007", "FIELDS")),
            _ => ArgumentSource.Bytes($"f{Source.Random.Next(8)}"),
        };

    private byte[][] Fields() => [.. Enumerable.Range(0, Source.Random.Next(1, 5)).Select(_ => Field())];

    private byte[][] Pairs(int most) =>
        [.. Enumerable.Range(0, Source.Random.Next(1, most + 1)).SelectMany(_ => new[] { Field(), Source.Value() })];

    // Occasionally enough to exceed the threshold between encodings.
    private byte[][] ManyPairs() =>
        [
            .. Enumerable
                .Range(0, Source.Random.Next(400, 600))
                .SelectMany(i => new[] { ArgumentSource.Bytes($"n{i}"), ArgumentSource.Bytes($"{i}") }),
        ];

    // FIELDS numfields field [value] ..., with a correct or wrong number.
    private object[] FieldList(int argumentsPerField)
    {
        byte[][] fields = argumentsPerField == 1 ? Fields() : Pairs(4);
        string count = Source.OneIn(12) ? Source.Pick(OddCounts) : $"{fields.Length / argumentsPerField}";
        return [Source.Token(Source.OneIn(25) ? "FIELD" : "FIELDS"), count, fields];
    }

    private void Random()
    {
        switch (Source.Random.Next(4))
        {
            case 0:
                Emit("HRANDFIELD", Source.Key());
                break;
            case 1:
                EmitExactly("HRANDFIELD", Source.Key(), Source.Pick("0", "1", "3", "-3", "-1", "1000", "abc", ""));
                break;
            case 2 when IsValkey:
                EmitExactly("HRANDFIELD", Source.Key(), Source.Pick("-9223372036854775808", "9223372036854775807", "9223372036854775808"));
                break;
            default:
                EmitExactly(
                    "HRANDFIELD",
                    Source.Key(),
                    Source.Pick("0", "2", "-4", "1000", "abc"),
                    Source.Token(Source.OneIn(6) ? "BOGUS" : "WITHVALUES")
                );
                break;
        }
    }

    // The order of iteration depends on the server, so one call returns everything.
    private void Scan()
    {
        var options = new List<byte[]> { Source.Token("COUNT"), ArgumentSource.Bytes("100000") };
        if (Source.OneIn(3))
            options.AddRange([Source.Token("MATCH"), ArgumentSource.Bytes(Source.Pick("*", "f*", "f[0-3]", "", "n?", "*1*"))]);
        if (IsValkey && Source.OneIn(3))
            options.Add(Source.Token(Source.Pick("NOVALUES", "NOVALUES", "NOSCORES")));
        if (Source.OneIn(8))
            options.AddRange([Source.Token("COUNT"), ArgumentSource.Bytes(Source.Pick("0", "-1", "abc", ""))]);
        if (Source.OneIn(8))
            options.AddRange([Source.Token(Source.Pick("TYPE", "BOGUS")), ArgumentSource.Bytes("hash")]);
        EmitExactly(
            "HSCAN",
            Source.Key(),
            Source.OneIn(8) && IsValkey ? Source.Pick("abc", "", "1.5", "18446744073709551616") : "0",
            options
        );
    }

    private void Expire()
    {
        var flags = new List<byte[]>();
        for (int i = Source.Pick(0, 0, 0, 1, 1, 2); i > 0; i--)
            flags.Add(Source.OneIn(10) ? Source.Token("BOGUS") : Source.Token(Source.Pick("NX", "XX", "GT", "LT")));
        string name = Source.Pick("HEXPIRE", "HPEXPIRE", "HEXPIREAT", "HPEXPIREAT");
        byte[] when = name switch
        {
            "HEXPIRE" => Source.Seconds(),
            "HPEXPIRE" => Source.Milliseconds(),
            "HEXPIREAT" => Source.UnixSeconds(),
            _ => Source.UnixMilliseconds(),
        };
        EmitInOrder(name, Source.Key(), when, flags, FieldList(1));
    }

    private void SetWithExpiry()
    {
        var options = new List<object>();
        for (int i = Source.Pick(0, 0, 1, 1, 2); i > 0; i--)
            options.Add(Source.Token(Source.Pick("NX", "XX", "FNX", "FXX", "KEEPTTL", "PERSIST")));
        if (Source.OneIn(2))
            options.Add(Expiry());
        EmitInOrder("HSETEX", Source.Key(), options.ToArray(), FieldList(2));
    }

    private void GetWithExpiry()
    {
        var options = new List<object>();
        if (Source.OneIn(3))
            options.Add(Source.Token(Source.Pick("PERSIST", "PERSIST", "KEEPTTL")));
        if (Source.OneIn(2))
            options.Add(Expiry());
        EmitInOrder("HGETEX", Source.Key(), options.ToArray(), FieldList(1));
    }

    private object[] Expiry()
    {
        string option = Source.Pick("EX", "PX", "EXAT", "PXAT");
        byte[] when = option switch
        {
            "EX" => Source.Seconds(),
            "PX" => Source.Milliseconds(),
            "EXAT" => Source.UnixSeconds(),
            _ => Source.UnixMilliseconds(),
        };
        return [Source.Token(option), when];
    }
}
