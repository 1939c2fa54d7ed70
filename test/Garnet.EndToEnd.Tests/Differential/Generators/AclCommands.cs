// Random histories of users and their rules: one connection changes them, another one works under them. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class AclCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    private const string Digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    private static readonly string[] Names = ["a", "b", "c"];

    private static readonly string[] Categories =
    [
        .. (string[])["read", "write", "string", "all", "dangerous", "admin", "set", "list", "hash", "keyspace", "connection", "slow"],
        .. (string[])["FAST", "nope", "transaction", "blocking", "stream", "geo", ""],
    ];

    private static readonly string[] CommandNames =
    [
        .. (string[])["get", "set", "GET", "del", "mset", "mget", "config", "config|get", "config|set", "CONFIG|GET", "client|list"],
        .. (string[])["client", "select", "select|0", "select|1", "sort", "copy", "move", "swapdb", "flushall", "acl|whoami", "nosuch"],
        .. (string[])["config|nope", "get|x", "config|get|x", "debug|", "config|", "ping", "auth", "multi", "exec", "blpop", "object"],
    ];

    private static readonly string[] Patterns = ["a*", "b*", "*", "x:?", "[a-c]*", "", "k1", "foo bar", "k\\*"];

    private static readonly object[][] Calls =
    [
        ["GET", "a1"],
        ["SET", "b1", "v"],
        ["SET", "a", "v", "GET"],
        ["MGET", "a", "b", "x:1"],
        ["MSET", "a", "1", "b", "2"],
        ["DEL", "a1", "b1"],
        ["COPY", "a", "b"],
        ["COPY", "a", "b", "DB", "1", "DB", "3", "REPLACE"],
        ["MOVE", "a", "1"],
        ["MOVE", "a", "x"],
        ["SELECT", "0"],
        ["SELECT", "1"],
        ["SELECT", "99"],
        ["SWAPDB", "0", "1"],
        ["FLUSHALL"],
        ["CONFIG", "GET", "nosuch"],
        ["CONFIG", "NOPE"],
        ["SORT", "a"],
        ["SORT", "a", "BY", "b*", "GET", "c*"],
        ["SORT", "a", "STORE", "b"],
        ["ZUNIONSTORE", "b", "2", "a", "k1"],
        ["GETEX", "a"],
        ["GETEX", "a", "PERSIST"],
        ["XREAD", "STREAMS", "a", "0"],
        ["NOSUCH"],
        ["GET"],
        ["PING"],
        ["DBSIZE"],
        ["OBJECT", "ENCODING", "a"],
        ["LMPOP", "2", "a", "b", "LEFT"],
        ["BITFIELD", "a", "GET", "u8", "0"],
        ["BITFIELD", "a", "SET", "u8", "0", "1"],
        ["GEORADIUS", "a", "1", "1", "1", "m", "STORE", "b"],
        ["LCS", "a", "b"],
        ["SINTERCARD", "2", "a", "b"],
        ["PFCOUNT", "a", "b"],
        ["RENAME", "a", "b"],
        ["SMOVE", "a", "b", "x"],
        ["LPUSH", "x:1", "1"],
        ["BITOP", "AND", "b", "a", "k1"],
        ["ZRANGESTORE", "b", "a", "0", "1"],
        ["ACL", "WHOAMI"],
        ["MULTI"],
        ["EXEC"],
        ["DISCARD"],
    ];

    private bool _hasBegun;

    public override int Connections => 2;

    public override void Next()
    {
        Connection = 0;
        if (!_hasBegun)
        {
            // Users outlive the histories before this one.
            foreach (string name in Names)
                EmitExactly("ACL", "SETUSER", name, "reset");
            EmitExactly("ACL", "DELUSER", Names);
            EmitExactly("ACL", "LOG", "RESET");
            _hasBegun = true;
        }

        switch (Source.Random.Next(20))
        {
            case <= 6:
                SetUser();
                break;
            case 7:
                EmitExactly("ACL", "GETUSER", Source.Pick("a", "b", "c", "default", "zz"));
                break;
            case 8:
                EmitExactly("ACL", Source.Pick("LIST", "USERS", "WHOAMI", "BOGUS", "SAVE", "LOAD", "SETUSER"));
                break;
            case <= 11:
                EmitExactly("ACL", "DRYRUN", Source.Pick("a", "b", "c", "default", "zz"), Source.Pick(Calls));
                break;
            case 12:
                if (Source.OneIn(3))
                    EmitExactly("ACL", "DELUSER", Source.Pick<object[]>(["a"], ["b", "c"], ["nobody"], ["a", "default"]));
                else
                    EmitExactly("ACL", "LOG", Source.Pick("RESET", "abc", "-1", "0"));
                break;
            case 13:
                LogIn();
                break;
            default:
                Connection = 1;
                object[] call = Source.Pick(Calls);
                EmitExactly((string)call[0], call[1..]);
                break;
        }
    }

    private void SetUser()
    {
        List<object> rules = [];
        for (int i = Source.Pick(1, 1, 2, 3, 5); i > 0; i--)
            rules.Add(Rule(isInSelector: false));
        if (Source.OneIn(7))
            rules = ["reset"];
        if (Source.OneIn(4))
            rules.InsertRange(0, ["on", "nopass", "+@all", "allkeys"]);
        EmitExactly("ACL", "SETUSER", Source.Pick(Names), rules.ToArray());
    }

    private void LogIn()
    {
        string name = Source.Pick(Names);
        if (Source.OneIn(2))
            EmitExactly("ACL", "SETUSER", name, "on", ">p", "+@all", "~a*");
        Connection = 1;
        EmitExactly("AUTH", name, Source.Pick("p", "p", "q", ""));
    }

    private string Rule(bool isInSelector) =>
        Source.Random.Next(isInSelector ? 16 : 24) switch
        {
            <= 3 => Source.Pick("+", "-") + Source.Pick(CommandNames),
            <= 5 => Source.Pick("+@", "-@") + Source.Pick(Categories),
            <= 7 => "~" + Source.Pick(Patterns),
            8 => Source.Pick("%R~", "%W~", "%RW~", "%wr~", "%X~", "%~", "%RR~", "%R") + Source.Pick(Patterns),
            9 => "&" + Source.Pick(Patterns),
            10 => Source.Pick("allkeys", "resetkeys", "allchannels", "resetchannels", "alldbs", "resetdbs", "allcommands", "nocommands"),
            11 => Source.Pick("ALLKEYS", "+@all", "-@all", "~*", "&*"),
            12 => "db="
                + Source.Pick("0", "1", "0,1", "15,3,3", "", "x", "1,", "16", "-1", "99999999999", "2147483648", "+1", " 1", "1 ", "00"),
            <= 15 => Source.Pick("+", "-") + Source.Pick("get", "set", "mset", "del", "copy"),
            <= 17 => Source.Pick(">", "<", "#", "!") + Source.Pick("p", "q", "", Digest, Digest.ToUpperInvariant()),
            18 => Source.Pick("on", "off", "nopass", "resetpass", "reset", "clearselectors", "sanitize-payload", "", "bogus", "ON"),
            <= 21 => Selector(),
            _ => Source.Pick("(", "+get)", "(+set", "~x)", "on"),
        };

    private string Selector()
    {
        IEnumerable<string> rules = Enumerable.Range(0, Source.Random.Next(4)).Select(_ => Rule(isInSelector: true));
        return $"({string.Join(' ', rules)}{Source.Pick(")", ")", ")", "", " )")}";
    }
}
