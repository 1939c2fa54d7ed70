// Random histories of the connection and server commands. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class ConnectionCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    public override void Next()
    {
        switch (Source.Random.Next(40))
        {
            case <= 3:
                Emit("PING", Source.OneIn(2) ? Array.Empty<byte[]>() : [Source.Value()]);
                break;
            case <= 5:
                Emit("ECHO", Source.Value());
                break;
            case <= 11:
                Hello();
                break;
            case <= 14:
                Emit("AUTH", Source.Pick<object[]>(["x"], ["default", "x"], ["default", ""], ["nobody", "x"], ["a", "b", "c"]));
                break;
            case <= 16:
                Emit("SELECT", Source.Integer());
                break;
            case <= 27:
                Client();
                break;
            case 28:
                Emit("TIME");
                break;
            case 29:
                Emit("RESET");
                break;
            case 30:
                Unknown();
                break;
            case <= 35:
                GetKeys();
                break;
            case 36:
                Emit("COMMAND", Source.Subcommand(Source.Pick("COUNT", "BOGUS", "GETKEYS", "GETKEYSANDFLAGS")));
                break;
            case 37:
                Emit(
                    "COMMAND",
                    Source.Subcommand("LIST"),
                    Source.Token("FILTERBY"),
                    Source.Token(Source.Pick("ACLCAT", "PATTERN", "MODULE", "BOGUS")),
                    Source.Pick("nosuch", "", "zz*")
                );
                break;
            case 38:
                Emit("OBJECT", Source.Subcommand(Source.Pick("HELP", "BOGUS")));
                break;
            default:
                Emit("QUIT");
                EmitExactly("PING");
                break;
        }
    }

    private void Hello()
    {
        var options = new List<byte[]>();
        if (!Source.OneIn(6))
            options.Add(Source.OneIn(5) ? Source.Integer() : ArgumentSource.Bytes(Source.Pick("2", "3", "3", "4", "1")));
        for (int i = Source.Random.Next(3); i > 0; i--)
        {
            switch (Source.Random.Next(4))
            {
                case 0:
                    options.AddRange([Source.Token("SETNAME"), Name()]);
                    break;
                case 1:
                    options.AddRange([Source.Token("AUTH"), ArgumentSource.Bytes(Source.Pick("default", "nobody")), Source.Value()]);
                    break;
                case 2:
                    options.Add(Source.Token(Source.Pick("SETNAME", "AUTH", "BOGUS")));
                    break;
                default:
                    break;
            }
        }

        Emit("HELLO", options);
    }

    private byte[] Name() => ArgumentSource.Bytes(Source.Pick("", "me", "a name", "line\nbreak", "ok-name_1", "\u00ff", "!~"));

    private void Client()
    {
        switch (Source.Random.Next(15))
        {
            case <= 1:
                Emit("CLIENT", Source.Subcommand("SETNAME"), Name());
                break;
            case <= 3:
                Emit("CLIENT", Source.Subcommand("GETNAME"));
                break;
            case 4:
                Emit("CLIENT", Source.Subcommand(Source.Pick("ID", "INFO")));
                break;
            case 5:
                Emit("CLIENT", Source.Subcommand("SETINFO"), Source.Token(Source.Pick("LIB-NAME", "LIB-VER", "BOGUS")), Name());
                break;
            case 6:
                Emit("CLIENT", Source.Subcommand("NO-EVICT"), Source.Token(Source.Pick("ON", "OFF", "BOGUS")));
                break;
            case 7:
                if (IsValkey)
                    Emit("CLIENT", Source.Subcommand("NO-TOUCH"), Source.Token(Source.Pick("ON", "OFF", "BOGUS")));
                break;
            case 8:
                EmitExactly("CLIENT", Source.Subcommand("PAUSE"), Source.Pick("abc", "-1", "", "1.5"));
                break;
            case 9:
                EmitExactly("CLIENT", Source.Subcommand("UNPAUSE"));
                break;
            case 10:
                Emit(
                    "CLIENT",
                    Source.Subcommand("UNBLOCK"),
                    Source.Pick("999999999", "abc", "-1"),
                    Source.Pick<object[]>([], ["TIMEOUT"], ["ERROR"], ["BOGUS"])
                );
                break;
            case 11:
                EmitExactly("CLIENT", Source.Subcommand("REPLY"), Source.Pick("ON", "BOGUS", "on"));
                break;
            case 12:
                Emit(
                    "CLIENT",
                    Source.Subcommand("KILL"),
                    Source.Pick<object[]>(
                        ["ID", "abc"],
                        ["ID", "999999999"],
                        ["1.2.3.4:5"],
                        ["TYPE", "bogus"],
                        ["USER", "nobody"],
                        ["ADDR", "1.2.3.4:5"],
                        ["BOGUS", "x"],
                        ["ID"]
                    )
                );
                break;
            case 13:
                Emit(
                    "CLIENT",
                    Source.Subcommand("LIST"),
                    Source.Pick<object[]>(["TYPE", "bogus"], ["TYPE", "replica"], ["ID", "abc"], ["ID", "999999999"], ["BOGUS"], ["TYPE"])
                );
                break;
            default:
                Emit("CLIENT", Source.Subcommand(Source.Pick("BOGUS", "GETNAME", "KILL", "")));
                break;
        }
    }

    private void Unknown()
    {
        switch (Source.Random.Next(4))
        {
            case 0:
                EmitExactly("NOSUCHCOMMAND", Source.Value(), Source.Value());
                break;
            case 1:
                EmitExactly("NOSUCH\r\nNAME", Source.Keys(30));
                break;
            case 2:
                EmitExactly(new string('x', 300), Source.Value());
                break;
            default:
                EmitExactly("GETT", Source.Key());
                break;
        }
    }

    private void GetKeys()
    {
        object[] command = Source.Pick<object[]>(
            ["GET", "a"],
            ["MSET", "a", "1", "b", "2"],
            ["MGET", "a", "b", "c"],
            ["SET", "a", "1", "EX", "10"],
            ["SET", "a", "1", "GET"],
            ["PING"],
            ["DEL", "a", "b"],
            ["ZUNION", "1x", "a", "b"],
            ["ZINTERSTORE", "d", " 2", "a", "b"],
            ["BLMPOP", "0", "4294967297", "a", "LEFT"],
            ["SINTERCARD", "+3", "a", "b"],
            ["BITOP", "AND", "d", "a", "b"],
            ["COPY", "a", "b"],
            ["RENAME", "a", "b"],
            ["PFCOUNT", "a", "b"],
            ["PFMERGE", "d", "a"],
            ["BITFIELD", "a", "GET", "u8", "0"],
            ["BITFIELD", "a", "SET", "u8", "0", "1"],
            ["LCS", "a", "b"],
            ["OBJECT", "ENCODING", "a"],
            ["NOSUCH", "a"],
            ["GET"],
            ["GET", "a", "b"],
            ["WATCH", "a", "b"],
            ["TOUCH", "a"],
            ["EXISTS", "a"],
            ["GETEX", "a", "PERSIST"],
            ["GETDEL", "a"],
            ["SETRANGE", "a", "0", "x"],
            ["EXPIRE", "a", "1"],
            ["MOVE", "a", "1"],
            ["KEYS", "*"],
            ["MULTI"]
        );
        Emit("COMMAND", Source.Subcommand(Source.Pick("GETKEYS", "GETKEYSANDFLAGS")), command);
    }
}
