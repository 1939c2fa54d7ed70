// Random histories of the set commands. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class SetCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    private static readonly string[] Integers =
    [
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "40000",
        "3000000000",
        "-40000",
        "007",
        "-0",
        "+1",
    ];

    public override void Next()
    {
        switch (Source.Random.Next(48))
        {
            case <= 10:
                Emit("SADD", Source.Key(), Members());
                break;
            case <= 14:
                Emit("SREM", Source.Key(), Members());
                break;
            case <= 16:
                Emit("SISMEMBER", Source.Key(), Member());
                break;
            case <= 18:
                Emit("SMISMEMBER", Source.Key(), Members());
                break;
            case <= 20:
                Emit("SMEMBERS", Source.Key());
                break;
            case <= 22:
                Emit("SCARD", Source.Key());
                break;
            case <= 25:
                Emit("SMOVE", Source.Key(), Source.Key(), Member());
                break;
            case <= 29:
                Emit(Source.Pick("SUNION", "SINTER", "SDIFF"), Source.Keys(4));
                break;
            case <= 34:
                Emit(Source.Pick("SUNIONSTORE", "SINTERSTORE", "SDIFFSTORE"), Source.Key(), Source.Keys(4));
                break;
            case <= 36:
                InterCard();
                break;
            case <= 38:
                Random();
                break;
            case <= 40:
                Pop();
                break;
            case 41:
                Scan();
                break;
            case 42:
                Emit(Source.Pick("TYPE", "EXISTS", "DEL", "UNLINK", "SET"), Source.Key(), Source.OneIn(3) ? new[] { Source.Key() } : []);
                break;
            case 43:
                Emit(Source.Pick("COPY", "RENAME", "RENAMENX"), Source.Key(), Source.Key());
                break;
            case 44:
                Emit("HSET", Source.Key(), Member(), Source.Value());
                break;
            default:
                Encoding();
                break;
        }
    }

    private byte[] Member() =>
        Source.Random.Next(16) switch
        {
            0 => Source.Value(),
            1 => ArgumentSource.Bytes(Source.Pick(Integers)),
            < 5 => ArgumentSource.Bytes($"m{Source.Random.Next(8)}"),
            _ => ArgumentSource.Bytes($"{Source.Random.Next(12)}"),
        };

    // A few, or occasionally enough of one kind to exceed a threshold between encodings.
    private byte[][] Members() =>
        Source.Random.Next(24) switch
        {
            0 => [.. Enumerable.Range(0, Source.Random.Next(100, 600)).Select(i => ArgumentSource.Bytes($"{i}"))],
            1 => [.. Enumerable.Range(0, Source.Random.Next(60, 140)).Select(i => ArgumentSource.Bytes($"m{i}"))],
            _ => [.. Enumerable.Range(0, Source.Random.Next(1, 6)).Select(_ => Member())],
        };

    private void InterCard()
    {
        byte[][] keys = Source.Keys(3);
        var options = new List<byte[]>();
        if (Source.OneIn(2))
            options.AddRange([Source.Token(Source.OneIn(12) ? "BOGUS" : "LIMIT"), Source.Integer()]);
        Emit("SINTERCARD", Source.OneIn(5) ? Source.Integer() : ArgumentSource.Bytes($"{keys.Length}"), keys, options);
    }

    private void Random()
    {
        if (Source.OneIn(3))
        {
            Emit("SRANDMEMBER", Source.Key());
        }
        else
        {
            EmitExactly(
                "SRANDMEMBER",
                Source.Key(),
                IsValkey && Source.OneIn(5)
                    ? Source.Pick("-9223372036854775808", "9223372036854775807", "9223372036854775808")
                    : Source.Pick("0", "1", "3", "-3", "-1", "1000", "abc", "")
            );
        }
    }

    // The result must not depend on chance: pops the only member, or all.
    private void Pop()
    {
        switch (Source.Random.Next(4))
        {
            case 0:
                EmitExactly("SADD", "one", "x");
                EmitExactly("SPOP", "one");
                break;
            case 1:
                EmitExactly("SPOP", Source.Key(), Source.Pick("100000", "9223372036854775807"));
                break;
            case 2:
                EmitExactly("SPOP", Source.Key(), "1", "2");
                break;
            default:
                EmitExactly("SPOP", Source.Key(), Source.Pick("0", "-1", "abc", "", "-9223372036854775808", "9223372036854775808"));
                break;
        }
    }

    private void Scan()
    {
        var options = new List<byte[]> { Source.Token("COUNT"), ArgumentSource.Bytes("100000") };
        if (Source.OneIn(3))
            options.AddRange([Source.Token("MATCH"), ArgumentSource.Bytes(Source.Pick("*", "m*", "m[0-3]", "", "?", "*1*"))]);
        if (Source.OneIn(8))
        {
            options.AddRange([
                Source.Token(Source.Pick("COUNT", "TYPE", "BOGUS")),
                ArgumentSource.Bytes(Source.Pick("0", "-1", "abc", "")),
            ]);
        }

        EmitExactly(
            "SSCAN",
            Source.Key(),
            Source.OneIn(8) && IsValkey ? Source.Pick("abc", "", "1.5", "18446744073709551616") : "0",
            options
        );
    }

    private void Encoding()
    {
        if (IsValkey)
            Emit("OBJECT", "ENCODING", Source.Key());
        else
            Emit("SCARD", Source.Key());
    }
}
