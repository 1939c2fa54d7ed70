// Random histories of the sorted set commands. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

/// <summary>In half of the histories all members have the same score, as lexicographic ranges require.</summary>
internal sealed class SortedSetCommands : CommandGenerator
{
    private readonly bool _hasOneScore;

    public SortedSetCommands(ArgumentSource source, Dialect dialect)
        : base(source, dialect) => _hasOneScore = source.OneIn(3);

    public override void Next()
    {
        switch (Source.Random.Next(40))
        {
            case <= 9:
                Add();
                break;
            case 10 or 11:
                Emit("ZREM", Source.Key(), Members(3));
                break;
            case 12:
                if (IsValkey)
                {
                    EmitInOrder(
                        Source.Pick("ZRANK", "ZREVRANK"),
                        Source.Key(),
                        Member(),
                        Source.Token(Source.OneIn(10) ? "BOGUS" : "WITHSCORE")
                    );
                }
                else
                {
                    EmitInOrder(Source.Pick("ZSCORE", "ZRANK", "ZREVRANK"), Source.Key(), Member());
                }

                break;
            case 13:
                Emit("ZMSCORE", Source.Key(), Members(3));
                break;
            case 14:
                Emit("ZCARD", Source.Key());
                break;
            case 15 or 16:
                Emit("ZCOUNT", Source.Key(), Score(), Score());
                break;
            case <= 22:
                Range();
                break;
            case <= 24:
                Remove();
                break;
            case <= 26:
                EmitInOrder(Source.Pick("ZPOPMIN", "ZPOPMAX"), Source.Key(), Source.OneIn(2) ? Array.Empty<byte[]>() : [Source.Integer()]);
                break;
            case 27 or 28:
                Emit("ZMPOP", Several(), Count());
                break;
            case 29:
                Wait();
                break;
            case <= 33:
                Algebra();
                break;
            case 34:
                EmitExactly(
                    "ZRANDMEMBER",
                    Source.Key(),
                    Source.Pick<object[]>(["0"], ["1000"], ["1000", "WITHSCORES"], ["abc"], ["1", "BOGUS"], ["-9223372036854775808"])
                );
                break;
            case 35:
                EmitExactly(
                    "ZSCAN",
                    Source.Key(),
                    Source.Pick("0", "0", "abc"),
                    Source.Pick<object[]>(
                        ["COUNT", "1000", "MATCH", "*"],
                        ["COUNT", "1000"],
                        ["MATCH", "[a-c]", "COUNT", "1000"],
                        ["COUNT", "0"],
                        ["BOGUS"]
                    )
                );
                break;
            case 36:
                Emit("OBJECT", "ENCODING", Source.Key());
                break;
            default:
                Other();
                break;
        }
    }

    private byte[] Member() => Source.OneIn(2) ? ArgumentSource.Bytes(Source.Pick("a", "b", "c", "d", "1", "2", "-3", "")) : Source.Value();

    private byte[][] Members(int most) => [.. Enumerable.Range(0, Source.Random.Next(1, most + 1)).Select(_ => Member())];

    // Redis 7.0 formats most fractions and large numbers differently from Valkey.
    private byte[] Score() =>
        _hasOneScore
            ? ArgumentSource.Bytes("0")
            : ArgumentSource.Bytes(
                Source.Random.Next(IsValkey ? 4 : 3) switch
                {
                    0 => Source.Pick("inf", "-inf", "+inf", "nan", "abc", "-.5", "3.0e3", "2.25", "1.", "(1", "(inf"),
                    3 => Source.OneIn(2)
                        ? FormattableString.Invariant($"{(Source.Random.NextDouble() - 0.5) * 1e6:F4}")
                        : Source.Pick("1e308", "1e17", "0.1", "-1e21", "1e400", "5e-324", "", "(", "1e-7"),
                    _ => FormattableString.Invariant($"{Source.Random.Next(-4, 8)}"),
                }
            );

    // In Valkey, a negative offset counts from the end if the sorted set is a skiplist.
    private byte[] Offset() => IsValkey ? Source.Integer() : ArgumentSource.Bytes(Source.Pick("0", "1", "2", "9", "abc"));

    private byte[] MemberEnd() => ArgumentSource.Bytes(Source.Pick("-", "+", "[a", "(a", "[c", "(c", "[", "(", "[1", "(d", "a", "", "-x"));

    private List<byte[]> Several()
    {
        byte[][] keys = Source.Keys(3);
        return
        [
            Source.OneIn(10) ? Source.Integer() : ArgumentSource.Bytes($"{keys.Length}"),
            .. keys,
            Source.Token(Source.OneIn(15) ? "UP" : Source.Pick("MIN", "MAX")),
        ];
    }

    private List<byte[]> Count() => Source.OneIn(2) ? [] : [Source.Token("COUNT"), Source.Integer()];

    private void Add()
    {
        var arguments = new List<byte[]>();
        if (!_hasOneScore && Source.OneIn(6))
        {
            EmitInOrder("ZINCRBY", Source.Key(), Score(), Member());
            return;
        }

        for (int i = _hasOneScore ? 0 : Source.Pick(0, 0, 1, 2); i > 0; i--)
            arguments.Add(Source.Token(Source.Pick("NX", "XX", "GT", "LT", "CH", "INCR")));
        for (int i = Source.Pick(1, 1, 2, 4); i > 0; i--)
            arguments.AddRange([Score(), Member()]);
        EmitExactly("ZADD", Source.Key(), arguments);
    }

    private void Range()
    {
        var options = new List<byte[]>();
        bool isReverse = Source.OneIn(2);
        string by = _hasOneScore ? Source.Pick("", "BYLEX") : Source.Pick("", "BYSCORE");
        if (by.Length > 0)
            options.Add(Source.Token(by));
        if (isReverse)
            options.Add(Source.Token("REV"));
        if (Source.OneIn(3))
            options.AddRange([Source.Token("LIMIT"), Offset(), Source.Integer()]);
        bool stores = Source.OneIn(4);
        if (Source.OneIn(3))
            options.Add(Source.Token("WITHSCORES"));
        byte[] End() =>
            by switch
            {
                "BYLEX" => MemberEnd(),
                "BYSCORE" => Score(),
                _ => Source.Integer(),
            };
        if (stores)
            EmitInOrder("ZRANGESTORE", Source.Key(), Source.Key(), End(), End(), options);
        else if (Source.OneIn(3))
            Old();
        else
            EmitInOrder("ZRANGE", Source.Key(), End(), End(), options);
    }

    private void Old()
    {
        List<byte[]> limit = Source.OneIn(2) ? [] : [Source.Token("LIMIT"), Offset(), Source.Integer()];
        if (_hasOneScore)
        {
            EmitInOrder(Source.Pick("ZRANGEBYLEX", "ZREVRANGEBYLEX"), Source.Key(), MemberEnd(), MemberEnd(), limit);
        }
        else if (Source.OneIn(3))
        {
            EmitInOrder("ZREVRANGE", Source.Key(), Source.Integer(), Source.Integer(), Source.Pick<object[]>([], ["WITHSCORES"]));
        }
        else
        {
            EmitInOrder(
                Source.Pick("ZRANGEBYSCORE", "ZREVRANGEBYSCORE"),
                Source.Key(),
                Score(),
                Score(),
                limit,
                Source.Pick<object[]>([], ["withscores"])
            );
        }
    }

    private void Remove()
    {
        if (_hasOneScore)
            EmitInOrder(Source.Pick("ZREMRANGEBYLEX", "ZLEXCOUNT"), Source.Key(), MemberEnd(), MemberEnd());
        else if (Source.OneIn(2))
            EmitInOrder("ZREMRANGEBYSCORE", Source.Key(), Score(), Score());
        else
            EmitInOrder("ZREMRANGEBYRANK", Source.Key(), Source.Integer(), Source.Integer());
    }

    private void Wait()
    {
        byte[] timeout = ArgumentSource.Bytes(Source.Pick("0.001", "0.01", "abc", "-1", "nan", ""));
        if (Source.OneIn(2))
            EmitInOrder(Source.Pick("BZPOPMIN", "BZPOPMAX"), Source.Keys(3), timeout);
        else
            EmitInOrder("BZMPOP", timeout, Several(), Count());
    }

    private void Algebra()
    {
        string name = Source.Pick("ZUNION", "ZINTER", "ZDIFF", "ZINTERCARD");
        byte[][] keys = Source.Keys(3);
        var arguments = new List<byte[]>();
        // Sums would give the members different scores.
        bool stores = name != "ZINTERCARD" && (!_hasOneScore || name == "ZDIFF") && Source.OneIn(2);
        if (stores)
            arguments.Add(Source.Key());
        arguments.Add(Source.OneIn(12) ? Source.Integer() : ArgumentSource.Bytes($"{keys.Length}"));
        arguments.AddRange(keys);
        if (name == "ZINTERCARD" && Source.OneIn(2))
            arguments.AddRange([Source.Token("LIMIT"), Source.Integer()]);
        if (!_hasOneScore && Source.OneIn(4))
        {
            arguments.AddRange([
                Source.Token("WEIGHTS"),
                .. keys.Select(_ => ArgumentSource.Bytes(Source.Pick("1", "2", "-1", "0.5", "abc"))),
            ]);
        }

        if (Source.OneIn(4))
            arguments.AddRange([Source.Token("AGGREGATE"), Source.Token(Source.Pick("SUM", "MIN", "MAX", "BOGUS"))]);
        if (!stores && Source.OneIn(2))
            arguments.Add(Source.Token("WITHSCORES"));
        EmitInOrder(stores ? name + "STORE" : name, arguments);
    }

    private void Other()
    {
        switch (Source.Random.Next(6))
        {
            case 0:
                Emit("SET", Source.Key(), Source.Value());
                break;
            case 1:
                Emit("COPY", Source.Key(), Source.Key(), Source.Token("REPLACE"));
                break;
            case 2:
                Emit("RENAME", Source.Key(), Source.Key());
                break;
            case 3:
                Emit("TYPE", Source.Key());
                break;
            default:
                Emit("DEL", Source.Key());
                break;
        }
    }
}
