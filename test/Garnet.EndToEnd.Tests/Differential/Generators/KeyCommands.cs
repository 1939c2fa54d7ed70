// Random histories of the key and database commands. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class KeyCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    public override void Next()
    {
        switch (Source.Random.Next(60))
        {
            case <= 8:
                Create();
                break;
            case <= 12:
                Emit(Source.Pick("DEL", "UNLINK"), Source.Keys(3));
                break;
            case <= 15:
                Emit(Source.Pick("EXISTS", "TOUCH"), Source.Keys(4));
                break;
            case 16:
                Emit("TYPE", Source.Key());
                break;
            case <= 26:
                Expire();
                break;
            case <= 32:
                Emit(Source.Pick("TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME"), Source.Key());
                break;
            case <= 34:
                Emit("PERSIST", Source.Key());
                break;
            case <= 38:
                Emit(Source.Pick("RENAME", "RENAMENX"), Source.Key(), Source.Key());
                break;
            case <= 42:
                Copy();
                break;
            case <= 44:
                Emit("MOVE", Source.Key(), Database());
                break;
            case 45:
                Emit(Source.Pick("RANDOMKEY", "DBSIZE", "DBSIZE"));
                break;
            case <= 49:
                Scan();
                break;
            case <= 51:
                Emit("KEYS", Pattern());
                break;
            case 52:
                ObjectCommand();
                break;
            case 53 or 54:
                Emit("SELECT", Database());
                break;
            case 55:
                Emit("SWAPDB", Database(), Database());
                break;
            case 56:
                Rare();
                break;
            default:
                Emit("GET", Source.Key());
                break;
        }
    }

    private void Create()
    {
        switch (Source.Random.Next(4))
        {
            case 0:
                EmitExactly("SET", Source.Key(), Source.Value(), Source.Token("EX"), Source.Random.Next(1000, 30_000_000));
                break;
            case 1:
                EmitExactly("SET", Source.Key(), Source.Value(), Source.Token("PXAT"), "4102444800123");
                break;
            case 2:
                Emit("PFADD", Source.Key(), Source.Value());
                break;
            default:
                Emit("SET", Source.Key(), Source.Value());
                break;
        }
    }

    private void Expire()
    {
        var flags = new List<byte[]>();
        for (int i = Source.Pick(0, 0, 1, 1, 2); i > 0; i--)
            flags.Add(Source.OneIn(10) ? Source.Token("BOGUS") : Source.Token(Source.Pick("NX", "XX", "GT", "LT")));
        string name = Source.Pick("EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT");
        byte[] when = name switch
        {
            "EXPIRE" => Source.Seconds(),
            "PEXPIRE" => Source.Milliseconds(),
            "EXPIREAT" => Source.UnixSeconds(),
            _ => Source.UnixMilliseconds(),
        };
        EmitInOrder(name, Source.Key(), when, flags);
    }

    private void Copy()
    {
        var options = new List<byte[]>();
        if (Source.OneIn(2))
            options.Add(Source.Token("REPLACE"));
        if (Source.OneIn(2))
            options.AddRange([Source.Token("DB"), Database()]);
        if (Source.OneIn(20))
            options.Add(Source.Token("BOGUS"));
        Emit("COPY", Source.Key(), Source.Key(), options);
    }

    private byte[] Database() => Source.OneIn(8) ? Source.Integer() : ArgumentSource.Bytes(Source.Pick("0", "0", "1", "2", "15", "16"));

    private byte[] Pattern() =>
        ArgumentSource.Bytes(
            Source.Pick(
                "*",
                "*",
                "k*",
                "k?",
                "k[0-2]",
                "k[^0-2]",
                "[a-k][5-0]",
                "\\k1",
                "k[",
                "k[0",
                "[]",
                "",
                "??",
                "*1",
                "a:*",
                "k\\",
                "k[\\1]",
                "*k*1*",
                "**",
                "K*",
                "k[2-0]",
                "\0*"
            )
        );

    private void Scan()
    {
        if (!Source.OneIn(6))
        {
            var options = new List<byte[]>();
            if (Source.OneIn(2))
                options.AddRange([Source.Token("MATCH"), Pattern()]);
            if (Source.OneIn(2))
                options.AddRange([Source.Token("COUNT"), ArgumentSource.Bytes(Source.Pick("1", "2", "10", "1000"))]);
            if (Source.OneIn(3))
            {
                options.AddRange([
                    Source.Token("TYPE"),
                    Source.Token(Source.Pick("STRING", "STRING", "LIST", "HASH", "ZSET", "SET", "STREAM")),
                ]);
            }

            EmitExactly(Command.ScanAll, options);
            return;
        }

        var spoilt = new List<byte[]>();
        for (int i = Source.Random.Next(3); i > 0; i--)
        {
            string option = IsValkey
                ? Source.Pick("MATCH", "COUNT", "TYPE", "BOGUS", "NOVALUES")
                : Source.Pick("MATCH", "COUNT", "TYPE", "BOGUS");
            spoilt.AddRange([Source.Token(option), option == "TYPE" ? ArgumentSource.Bytes("string") : Source.Integer()]);
        }

        Emit("SCAN", Source.OneIn(2) ? ArgumentSource.Bytes("0") : Source.Integer(), spoilt);
    }

    private void ObjectCommand()
    {
        string name = Source.Pick("ENCODING", "REFCOUNT", "IDLETIME", "FREQ", "BOGUS");
        Emit("OBJECT", Source.Subcommand(name), Source.Key());
    }

    private void Rare()
    {
        switch (Source.Random.Next(8))
        {
            case 0 or 1:
                Emit(Source.Pick("FLUSHDB", "FLUSHALL"));
                break;
            case 2:
                Emit(Source.Pick("FLUSHDB", "FLUSHALL"), Source.Token(Source.Pick("SYNC", "ASYNC", "BOGUS")));
                break;
            case 3 or 4:
                EmitExactly("WAIT", Source.Pick("0", "abc", "-1"), Source.Pick("0", "1", "-1", "abc"));
                break;
            default:
                EmitExactly("WAIT", "1", Source.Pick("1", "-1", "abc"));
                break;
        }
    }
}
