// Random histories of the stream commands. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class StreamCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    private static readonly string[] OddIds =
    [
        "-",
        "+",
        "$",
        ">",
        "abc",
        "",
        "1-",
        "-1",
        "1-a",
        "5-*",
        "18446744073709551615-18446744073709551615",
        "18446744073709551616",
        "0-0",
        "007",
        "1-007",
        "+5",
        " 5",
        "(5",
        "5--05",
        "-0-0",
        "1-1-1",
        "0",
        "0-1",
    ];

    private static readonly string[] Ends = ["-", "+", "-", "+", "(", "(18446744073709551615-18446744073709551615", "(0-0"];

    public override void Next()
    {
        switch (Source.Random.Next(50))
        {
            case <= 13:
                Emit(
                    "XADD",
                    Source.Key(),
                    Source.OneIn(8) ? Source.Token("NOMKSTREAM") : [],
                    Source.OneIn(4) ? Trim() : [],
                    NewId(),
                    Pairs()
                );
                break;
            case 14:
                AddNow();
                break;
            case <= 17:
                Emit(Source.Pick("XRANGE", "XREVRANGE"), Source.Key(), End(), End(), Count(4));
                break;
            case <= 19:
                Emit("XDEL", Source.Key(), Ids());
                break;
            case 20:
                Emit("XTRIM", Source.Key(), Trim());
                break;
            case <= 23:
                Read();
                break;
            case <= 30:
                ReadAsGroup();
                break;
            case <= 34:
                Group();
                break;
            case 35:
                Emit("XACK", Source.Key(), GroupName(), Ids());
                break;
            case <= 38:
                Pending();
                break;
            case <= 41:
                EmitInOrder("XCLAIM", Source.Key(), GroupName(), Consumer(), Idle(), Ids(), ClaimOptions());
                break;
            case <= 43:
                EmitInOrder(
                    "XAUTOCLAIM",
                    Source.Key(),
                    GroupName(),
                    Consumer(),
                    Idle(),
                    End(),
                    Count(3),
                    Source.OneIn(3) ? Source.Token("JUSTID") : []
                );
                break;
            case 44:
                Emit(
                    "XSETID",
                    Source.Key(),
                    Id(),
                    Source.OneIn(3) ? new object[] { Source.Token("ENTRIESADDED"), Number() } : [],
                    Source.OneIn(4) ? new object[] { Source.Token("MAXDELETEDID"), Id() } : []
                );
                break;
            case <= 47:
                Info();
                break;
            case 48:
                Emit(
                    Source.Pick("TYPE", "XLEN", "XLEN", "DEL", "SADD", "SET"),
                    Source.Key(),
                    Source.OneIn(3) ? new[] { Source.Key() } : []
                );
                break;
            default:
                Emit(Source.Pick("COPY", "RENAME"), Source.Key(), Source.Key());
                break;
        }
    }

    private byte[] Id() =>
        ArgumentSource.Bytes(Source.OneIn(10) ? Source.Pick(OddIds) : $"{Source.Random.Next(1, 40)}-{Source.Random.Next(3)}");

    private byte[] NewId() =>
        Source.Random.Next(10) switch
        {
            0 => ArgumentSource.Bytes(Source.Pick(OddIds)),
            <= 4 => ArgumentSource.Bytes($"{Source.Random.Next(1, 60)}-*"),
            _ => ArgumentSource.Bytes($"{Source.Random.Next(1, 60)}-{Source.Random.Next(3)}"),
        };

    private byte[] End() =>
        Source.Random.Next(3) switch
        {
            0 => ArgumentSource.Bytes(Source.Pick(Ends)),
            1 => [(byte)'(', .. Id()],
            _ => Id(),
        };

    private byte[][] Ids() => [.. Enumerable.Range(0, Source.Random.Next(1, 5)).Select(_ => Id())];

    private byte[][] Pairs() =>
        [
            .. Enumerable
                .Range(0, Source.Random.Next(1, 4))
                .SelectMany(_ => new[] { ArgumentSource.Bytes($"f{Source.Random.Next(3)}"), Source.Value() }),
        ];

    private byte[] Number() => Source.OneIn(3) ? Source.Integer() : ArgumentSource.Bytes($"{Source.Random.Next(1, 12)}");

    private object[] Count(int n) => Source.OneIn(n) ? [Source.Token("COUNT"), Number()] : [];

    private byte[] GroupName() => ArgumentSource.Bytes(Source.OneIn(15) ? Source.Pick("", "G1", "none") : Source.Pick("g1", "g2"));

    private byte[] Consumer() => ArgumentSource.Bytes(Source.Pick("c1", "c2", "c3"));

    // Much longer than a history takes.
    private byte[] Idle() => ArgumentSource.Bytes(Source.Pick("0", "0", "0", "0", "100000000", "-1", "abc"));

    private object[] Trim()
    {
        var options = new List<object>();
        if (!Source.OneIn(10))
        {
            options.AddRange([
                Source.Token(Source.Pick("MAXLEN", "MINID")),
                Source.Pick<byte[][]>([], [ArgumentSource.Bytes("~")], [ArgumentSource.Bytes("=")]),
                Source.OneIn(2) ? Number() : Id(),
            ]);
        }

        if (Source.OneIn(4))
            options.AddRange([Source.Token("LIMIT"), Number()]);
        if (Source.OneIn(20))
            options.AddRange([Source.Token("MINID"), Id()]);
        return [.. options];
    }

    // IDs generated from the clock are in a separate key, which is deleted at once.
    private void AddNow()
    {
        EmitExactly("XADD", "now", "*", "a", "1");
        EmitExactly("XADD", "now", Source.OneIn(2) ? "*" : "9999999999999-*", "a", "2");
        EmitExactly("XLEN", "now");
        EmitExactly("DEL", "now");
    }

    private object[] Streams(string word)
    {
        int keys = Source.Pick(1, 1, 2, 3);
        byte[][] ids = [.. Enumerable.Range(0, keys).Select(_ => Source.OneIn(3) ? Id() : ArgumentSource.Bytes(word))];
        return [Source.Token("STREAMS"), Enumerable.Range(0, keys).Select(_ => Source.Key()).ToArray(), ids];
    }

    // Nothing that would block: all commands are sent on one connection.
    private object[] ReadOptions()
    {
        var options = new List<object> { Count(2) };
        if (Source.OneIn(12))
            options.AddRange([Source.Token("BLOCK"), Source.Pick("-1", "abc", "", "9223372036854775807")]);
        return [.. options];
    }

    private void Read() =>
        EmitInOrder(
            "XREAD",
            ReadOptions(),
            Source.OneIn(30) ? Source.Token("NOACK") : [],
            Streams(Source.Pick("0", "1-1", "20", "$", "+", ">"))
        );

    private void ReadAsGroup() =>
        EmitInOrder(
            "XREADGROUP",
            Source.Token("GROUP"),
            GroupName(),
            Consumer(),
            ReadOptions(),
            Source.OneIn(5) ? Source.Token("NOACK") : [],
            Streams(Source.Pick(">", ">", ">", "0"))
        );

    private void Group()
    {
        object[] entriesRead = Source.OneIn(5) ? [Source.Token("ENTRIESREAD"), Source.Pick("0", "3", "-1", "-2", "abc")] : [];
        byte[] id = Source.OneIn(2) ? ArgumentSource.Bytes(Source.Pick("$", "0")) : Id();
        switch (Source.Random.Next(8))
        {
            case <= 3:
                Emit(
                    "XGROUP",
                    Source.Subcommand("CREATE"),
                    Source.Key(),
                    GroupName(),
                    id,
                    Source.OneIn(2) ? Source.Token("MKSTREAM") : [],
                    entriesRead
                );
                break;
            case 4:
                Emit("XGROUP", Source.Subcommand("SETID"), Source.Key(), GroupName(), id, entriesRead);
                break;
            case 5:
                Emit("XGROUP", Source.Subcommand("DESTROY"), Source.Key(), GroupName());
                break;
            default:
                Emit("XGROUP", Source.Subcommand(Source.Pick("CREATECONSUMER", "DELCONSUMER")), Source.Key(), GroupName(), Consumer());
                break;
        }
    }

    private void Pending()
    {
        if (Source.OneIn(3))
        {
            Emit("XPENDING", Source.Key(), GroupName());
        }
        else
        {
            EmitInOrder(
                "XPENDING",
                Source.Key(),
                GroupName(),
                Source.OneIn(4) ? new object[] { Source.Token("IDLE"), Idle() } : [],
                End(),
                End(),
                Number(),
                Source.OneIn(3) ? Consumer() : Array.Empty<byte[]>()
            );
        }
    }

    private object[] ClaimOptions()
    {
        var options = new List<object>();
        for (int i = Source.Pick(0, 0, 1, 2); i > 0; i--)
        {
            options.AddRange(
                Source.Random.Next(7) switch
                {
                    0 => [Source.Token("IDLE"), Source.Pick("0", "100000", "abc")],
                    1 => [Source.Token("TIME"), Source.Pick("1000", "99999999999999", "-1", "abc")],
                    2 => [Source.Token("RETRYCOUNT"), Number()],
                    3 => [Source.Token("JUSTID")],
                    4 => [Source.Token("LASTID"), Id()],
                    _ => new object[] { Source.Token(Source.OneIn(8) ? "BOGUS" : "FORCE") },
                }
            );
        }

        return [.. options];
    }

    private void Info()
    {
        switch (Source.Random.Next(5))
        {
            case 0:
                Emit("XINFO", Source.Subcommand("STREAM"), Source.Key());
                break;
            case 1:
                Emit("XINFO", Source.Subcommand("GROUPS"), Source.Key());
                break;
            case 2:
                Emit("XINFO", Source.Subcommand("CONSUMERS"), Source.Key(), GroupName());
                break;
            case 3:
                Emit(Source.Pick("XINFO", "XGROUP"), Source.Subcommand("HELP"));
                break;
            default:
                EmitInOrder("XINFO", Source.Subcommand("STREAM"), Source.Key(), Source.Token("FULL"), Count(2));
                break;
        }
    }
}
