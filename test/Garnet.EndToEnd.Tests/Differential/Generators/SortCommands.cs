// Random histories of SORT and SORT_RO. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class SortCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    // Without sets, whose members have no comparable order.
    private static readonly string[] Ordered = ["list", "texts", "zset", "none", "w_1", "h_1"];
    private static readonly string[] Sets = ["set", "names"];
    private static readonly string[] Patterns = ["w_*", "h_*->f", "d_*_x", "h_*->none", "h_*->", "*", "*->f"];

    public override void Next()
    {
        switch (Source.Random.Next(25))
        {
            case 0:
                EmitExactly("RPUSH", ArgumentSource.Bytes("list"), Elements(Number));
                break;
            case 1:
                EmitExactly("RPUSH", ArgumentSource.Bytes("texts"), Elements(Text));
                break;
            case 2:
                EmitExactly("SADD", ArgumentSource.Bytes("set"), Elements(Number));
                break;
            case 3:
                EmitExactly("SADD", ArgumentSource.Bytes("names"), Elements(Text));
                break;
            case 4:
                EmitExactly("ZADD", ArgumentSource.Bytes("zset"), Number(), Number(), Number(), Number());
                break;
            case 5:
                EmitExactly("SET", ArgumentSource.Bytes($"w_{Source.Random.Next(30)}"), Source.OneIn(10) ? Text() : Number());
                break;
            case 6:
                EmitExactly("HSET", ArgumentSource.Bytes($"h_{Source.Random.Next(30)}"), ArgumentSource.Bytes("f"), Number());
                break;
            case 7:
                EmitExactly("SET", ArgumentSource.Bytes($"d_{Source.Random.Next(30)}_x"), Text());
                break;
            case 8:
                Emit("LRANGE", ArgumentSource.Bytes("stored"), ArgumentSource.Bytes("0"), ArgumentSource.Bytes("-1"));
                break;
            case 9:
                Emit("DEL", ArgumentSource.Bytes(Source.Pick("list", "texts", "set", "names", "zset", "stored", "w_1")));
                break;
            case 10:
                Emit("OBJECT", "ENCODING", ArgumentSource.Bytes("zset"));
                break;
            default:
                Sort();
                break;
        }
    }

    private void Sort()
    {
        bool isSet = Source.OneIn(3);
        string key = Source.Pick(isSet ? Sets : Ordered);
        var arguments = new List<byte[]>();
        bool isText = Source.OneIn(3),
            isBy = Source.OneIn(3);
        if (isText)
            arguments.Add(Source.Token("ALPHA"));
        if (Source.OneIn(3))
            arguments.Add(Source.Token(Source.Pick("ASC", "DESC")));
        // If the source has no order, ties leave the order to the sorting algorithm.
        if (isBy && !(isText && (isSet || key == "zset")))
            arguments.AddRange([Source.Token("BY"), ArgumentSource.Bytes(Source.OneIn(4) && !isSet ? "nosort" : Source.Pick(Patterns))]);
        if (Source.OneIn(3))
        {
            arguments.AddRange([
                Source.Token("LIMIT"),
                ArgumentSource.Bytes(Source.Pick("0", "1", "5", "-1", "100", "abc", "9223372036854775807")),
                ArgumentSource.Bytes(Source.Pick("0", "3", "-1", "-5", "100", "")),
            ]);
        }
        // If a GET finds nothing, an empty string is stored, which Redis then interprets as the number zero.
        bool stores = Source.OneIn(4);
        string[] gets = stores && !IsValkey ? ["#"] : ["#", "fixed", .. Patterns];
        for (int i = Source.OneIn(3) ? Source.Random.Next(1, 3) : 0; i > 0; i--)
            arguments.AddRange([Source.Token("GET"), ArgumentSource.Bytes(Source.Pick(gets))]);
        if (stores)
            arguments.AddRange([Source.Token("STORE"), ArgumentSource.Bytes(Source.Pick("stored", "stored", "list"))]);
        if (Source.OneIn(30))
            arguments.Add(Source.Token(Source.Pick("BOGUS", "LIMIT", "BY", "GET", "STORE")));
        EmitExactly(Source.OneIn(4) ? "SORT_RO" : "SORT", key, arguments);
    }

    private byte[][] Elements(Func<byte[]> next) => [.. Enumerable.Range(0, Source.Random.Next(1, 8)).Select(_ => next())];

    private byte[] Number() => ArgumentSource.Bytes($"{Source.Random.Next(30)}");

    private byte[] Text() =>
        Source.Random.Next(8) switch
        {
            0 => ArgumentSource.Bytes(Source.Pick("abc", "1e3", "inf", "-0", "007", "Z", "z", "3.5")),
            1 => Number(),
            _ => ArgumentSource.Bytes($"{(char)Source.Random.Next('a', 'h')}{Source.Random.Next(9)}"),
        };
}
