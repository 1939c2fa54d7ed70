// Random histories of the server commands: settings, statistics, command logs, memory, latency. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

/// <summary>
/// Settings outlive an episode, so each begins by resetting everything that it may change. The command logs' thresholds are zero or out of
/// reach, so that no command enters a log by chance; the threshold for replies is also below the size of texts that differ between servers,
/// such as INFO.
/// </summary>
internal sealed class ServerCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    private static readonly string[] Sections =
    [
        "server",
        "clients",
        "memory",
        "stats",
        "replication",
        "cpu",
        "modules",
        "module_list",
        "commandstats",
        "errorstats",
        "cluster",
        "keyspace",
        "nosuch",
        "",
    ];

    private bool _begun;

    public override void Next()
    {
        if (!_begun)
            Begin();
        switch (Source.Random.Next(40))
        {
            case <= 7:
                SetOptions();
                break;
            case <= 11:
                GetOptions();
                break;
            case 12:
                EmitExactly("CONFIG", Source.Subcommand(Source.Pick("RESETSTAT", "REWRITE", "BOGUS", "")));
                break;
            case <= 15:
                Emit("INFO", Sections.Where(_ => Source.OneIn(5)).Select(section => Source.Token(section)));
                break;
            case 16:
                EmitExactly("INFO", Source.Token(Source.Pick("commandstats", "errorstats")));
                break;
            case <= 20:
                Emit("SLOWLOG", Source.Subcommand(Source.Pick("GET", "GET", "LEN", "RESET", "HELP", "BOGUS")), Count());
                break;
            case <= 24:
                Emit(
                    "COMMANDLOG",
                    Source.Token(Source.Pick("GET", "GET", "LEN", "RESET", "HELP", "BOGUS")),
                    Count(),
                    Source.Token(Source.Pick("slow", "large-request", "large-reply", "bogus"))
                );
                break;
            case 25:
                Emit(
                    "COMMANDLOG",
                    Source.Token(Source.Pick("LEN", "RESET")),
                    Source.Token(Source.Pick("slow", "large-request", "large-reply", "bogus"))
                );
                break;
            case <= 27:
                Emit(
                    "LATENCY",
                    Source.Subcommand(Source.Pick("LATEST", "RESET", "HISTORY", "GRAPH", "HELP", "BOGUS")),
                    Source.Pick<object[]>([], [], ["command"], ["a", "b"])
                );
                break;
            case 28:
                Emit(
                    "LATENCY",
                    Source.Subcommand("HISTOGRAM"),
                    Source.Pick<object[]>(["nosuch"], ["append"], ["APPEND", "slowlog"], ["config|get", "x|y"])
                );
                break;
            case <= 30:
                Memory();
                break;
            case <= 33:
                Debug();
                break;
            case <= 36:
                Data();
                break;
            case 37:
                Clients();
                break;
            case 38:
                EmitExactly(
                    "SHUTDOWN",
                    Source.Pick<object[]>(
                        ["BOGUS"],
                        ["SAVE", "NOSAVE"],
                        ["ABORT"],
                        ["ABORT", "NOW"],
                        ["ABORT", "ABORT"],
                        ["NOSAVE", "ABORT"]
                    )
                );
                break;
            default:
                Emit(Source.Pick("ROLE", "TIME", "DBSIZE"));
                break;
        }
    }

    private void Begin()
    {
        _begun = true;
        EmitExactly(
            "CONFIG",
            "SET",
            "commandlog-execution-slower-than",
            "1000000000",
            "commandlog-request-larger-than",
            "1000000000",
            "commandlog-reply-larger-than",
            "1000000000",
            "commandlog-slow-execution-max-len",
            "128",
            "commandlog-large-request-max-len",
            "128",
            "commandlog-large-reply-max-len",
            "128",
            "latency-monitor-threshold",
            "0",
            "latency-tracking",
            "yes",
            "timeout",
            "0",
            "tcp-keepalive",
            "300",
            "maxmemory",
            "0",
            "hll-sparse-max-bytes",
            "3000",
            "proto-max-bulk-len",
            "512mb",
            "client-query-buffer-limit",
            "1gb",
            "client-output-buffer-limit",
            "normal 0 0 0 replica 256mb 64mb 60 pubsub 32mb 8mb 60",
            "loglevel",
            "notice",
            "protected-mode",
            "yes",
            "latency-tracking-info-percentiles",
            "50 99 99.9"
        );
        EmitExactly("SLOWLOG", "RESET");
        EmitExactly("COMMANDLOG", "RESET", "large-request");
        EmitExactly("COMMANDLOG", "RESET", "large-reply");
        EmitExactly("CONFIG", "RESETSTAT");
    }

    private object[] Count() => Source.Pick<object[]>([], [Source.Pick("0", "1", "3", "-1", "1000")], [Source.Integer()]);

    private void SetOptions()
    {
        var changes = new List<object>();
        for (int i = Source.Random.Next(1, 4); i > 0; i--)
            changes.AddRange(Option());
        if (Source.OneIn(12))
            changes.RemoveAt(changes.Count - 1);
        EmitExactly("CONFIG", [Source.Token("SET"), .. changes]);
    }

    // Values that neither close connections nor make the server refuse writes.
    private object[] Option() =>
        Source.Random.Next(16) switch
        {
            0 => [Source.Token("timeout"), Source.Pick("0", "3600", "-1", "x", "", "2147483648")],
            1 => [Source.Token("tcp-keepalive"), Source.Pick("0", "300", "-1", "1.5")],
            2 => [Source.Token("maxmemory"), Source.Pick("0", "8gb", "100000mb", "-1", "1x", "", "1.5gb", "9999999999999999999999")],
            3 => [Source.Token("hll-sparse-max-bytes"), Source.Pick("3000", "100", "-1", "1kb")],
            4 => [Source.Token("proto-max-bulk-len"), Source.Pick("512mb", "1mb", "1", "x")],
            5 => [Source.Token("client-query-buffer-limit"), Source.Pick("1gb", "1mb", "1", "")],
            6 =>
            [
                Source.Token("client-output-buffer-limit"),
                Source.Pick(
                    "",
                    "normal 0 0 0",
                    "normal 1gb 1gb 60 pubsub 32mb 8mb 60",
                    "slave 0 0 0",
                    "replica 0 0 0",
                    "x 0 0 0",
                    "normal 0 0",
                    "normal -1 0 0",
                    "normal 0 0 -1"
                ),
            ],
            7 => [Source.Token("loglevel"), Source.Pick("notice", "WARNING", "loud", "")],
            8 => [Source.Token("protected-mode"), Source.Pick("yes", "no", "YES", "maybe")],
            9 =>
            [
                Source.Token(Source.Pick("slowlog-log-slower-than", "commandlog-execution-slower-than")),
                Source.Pick("0", "0", "-1", "1000000000", "-2", "x"),
            ],
            10 => [Source.Token(Source.Pick("slowlog-max-len", "commandlog-slow-execution-max-len")), Source.Pick("128", "2", "0", "-1")],
            11 => Source.OneIn(2)
                ? [Source.Token("commandlog-request-larger-than"), Source.Pick("0", "60", "-1", "1000000000", "-2")]
                : [Source.Token("commandlog-reply-larger-than"), Source.Pick("0", "16", "-1", "1000000000", "-2")],
            12 =>
            [
                Source.Token(Source.Pick("commandlog-large-request-max-len", "commandlog-large-reply-max-len")),
                Source.Pick("128", "2", "0", "-1", "x"),
            ],
            13 => [Source.Token("latency-tracking-info-percentiles"), Source.Pick("50 99 99.9", "", "0 100", "101", "x", "-1", "1e1 0.5")],
            14 => [Source.Token("databases"), Source.Pick("16", "3")],
            _ => [Source.Pick("nosuch", "", "unixsocket", "dir", "logfile", "tcp-backlog", "enable-debug-command"), "x"],
        };

    private void GetOptions()
    {
        var names = new List<object>();
        for (int i = Source.Random.Next(1, 4); i > 0; i--)
        {
            names.Add(
                Source.Token(
                    Source.Pick(
                        "timeout",
                        "tcp-keepalive",
                        "maxmemory",
                        "hll-sparse-max-bytes",
                        "proto-max-bulk-len",
                        "client-query-buffer-limit",
                        "client-output-buffer-limit",
                        "loglevel",
                        "protected-mode",
                        "slowlog-*",
                        "commandlog-*",
                        "latency-*",
                        "slowlog-max-len",
                        "commandlog-slow-execution-max-len",
                        "databases",
                        "nosuch",
                        "",
                        "[st]imeout",
                        "time?ut",
                        "tim\\eout",
                        "requirepass",
                        "max?emory",
                        "latency-tracking-info-percentiles"
                    )
                )
            );
        }

        EmitExactly("CONFIG", [Source.Token("GET"), .. names]);
    }

    private void Memory()
    {
        switch (Source.Random.Next(4))
        {
            case 0:
                Emit("MEMORY", Source.Subcommand(Source.Pick("DOCTOR", "PURGE", "MALLOC-STATS", "HELP", "BOGUS")));
                break;
            case 1:
                Emit("MEMORY", Source.Subcommand("STATS"));
                break;
            default:
                Emit(
                    "MEMORY",
                    Source.Subcommand("USAGE"),
                    Source.Key(),
                    Source.Pick<object[]>([], [Source.Token("SAMPLES"), Source.Integer()], [Source.Token("SAMPLES")], ["BOGUS", "1"])
                );
                break;
        }
    }

    private void Debug()
    {
        switch (Source.Random.Next(9))
        {
            case 0:
                EmitExactly("DEBUG", Source.Token("SLEEP"), Source.Pick("0", "", "0.0001", "0x0"));
                break;
            case 1:
                Emit("DEBUG", Source.Token("OBJECT"), Source.Key());
                break;
            case 2:
                EmitExactly("DEBUG", Source.Token("SET-ACTIVE-EXPIRE"), Source.Pick("0", "1", "1"));
                break;
            case 3:
                EmitExactly(
                    "DEBUG",
                    Source.Token("PROTOCOL"),
                    Source.Token(
                        Source.Pick(
                            "STRING",
                            "INTEGER",
                            "DOUBLE",
                            "NULL",
                            "ARRAY",
                            "SET",
                            "MAP",
                            "VERBATIM",
                            "TRUE",
                            "FALSE",
                            "BIGNUM",
                            "BOGUS"
                        )
                    )
                );
                break;
            case 4:
                EmitExactly(
                    "DEBUG",
                    Source.Token("POPULATE"),
                    Source.Pick<object[]>(
                        ["3"],
                        ["12", "key"],
                        ["5", "a", "0"],
                        ["4", "p", "3"],
                        ["2", "b", "30"],
                        ["-1"],
                        ["abc"],
                        ["1", "x", "-1"],
                        ["1", "x", "1", "1"]
                    )
                );
                break;
            case 5:
                EmitExactly("DEBUG", Source.Token("DIGEST"), Source.OneIn(12) ? new object[] { "x" } : []);
                break;
            case <= 7:
                Emit("DEBUG", Source.Token("DIGEST-VALUE"), Source.OneIn(8) ? [] : Source.Keys(3));
                break;
            default:
                Emit("DEBUG", Source.Token(Source.Pick("STRINGMATCH-LEN", "BOGUS", "HELP", "")), Source.Pick<object[]>([], ["10", "*a*b"]));
                break;
        }
    }

    private void Data()
    {
        switch (Source.Random.Next(7))
        {
            case 0:
                Emit("SET", Source.Key(), Source.Value());
                break;
            case 6:
                Collection();
                break;
            case 1:
                Emit("GET", Source.Key());
                break;
            case 2:
                Emit("APPEND", Source.Key(), Source.Value());
                break;
            case 3:
                Emit("INCR", Source.Key());
                break;
            case 4:
                EmitExactly("NOSUCHCOMMAND", Source.Value());
                break;
            default:
                EmitExactly("MULTI");
                Emit("SET", Source.Key(), Source.Value());
                Emit("INCR", Source.Key());
                EmitExactly("EXEC");
                break;
        }
    }

    // Values of each type for DIGEST.
    private void Collection()
    {
        switch (Source.Random.Next(7))
        {
            case 0:
                Emit("RPUSH", Source.Key(), Source.Value(), Source.Integer());
                break;
            case 1:
                Emit("SADD", Source.Key(), Source.Value(), Source.Integer());
                break;
            case 2:
                Emit("HSET", Source.Key(), Source.Value(), Source.Value(), "field", Source.Integer());
                break;
            case 3:
                Emit(
                    "ZADD",
                    Source.Key(),
                    Source.Pick("1", "-0", "0.1", "1000000000", "123456789012345", "1e300", "-inf", "3.0000000000000001", "1e-7"),
                    Source.Value()
                );
                break;
            case 4:
                Emit("XADD", Source.Key(), $"{Source.Random.Next(1, 9)}-*", Source.Value(), Source.Integer());
                break;
            case 5:
                Emit("PERSIST", Source.Key());
                break;
            default:
                Emit("EXPIRE", Source.Key(), "1000000");
                break;
        }
    }

    // Filters that match no client, or invalid ones: the only client must not be disconnected.
    private void Clients()
    {
        object[] filter = Source.Pick<object[]>(
            ["ID", "999999999"],
            ["ID", "0"],
            ["ID", "1", "x"],
            ["MAXAGE", "1000000"],
            ["MAXAGE", "0"],
            ["MAXAGE", "x"],
            ["IDLE", "1000000"],
            ["IDLE", "-1"],
            ["NAME", "nobody"],
            ["NAME"],
            ["FLAGS", "M"],
            ["FLAGS", "?"],
            ["LIB-NAME", "none"],
            ["LIB-VER", "none"],
            ["DB", "15"],
            ["DB", "16"],
            ["DB", "x"],
            ["IP", "1.2.3.4"],
            ["CAPA", "r"],
            ["CAPA", "?"],
            ["USER", "nobody"],
            ["ADDR", "x"],
            ["LADDR", "x"],
            ["TYPE", "pubsub"],
            ["TYPE", "x"],
            ["NOT-TYPE", "normal"],
            ["NOT-TYPE", "x"],
            ["NOT-USER", "default"],
            ["NOT-ID", "x"],
            ["NOT-DB", "x"],
            ["NOT-FLAGS", "?"],
            ["NOT-BOGUS", "x"],
            ["SKIPME", "x"],
            ["BOGUS"]
        );
        EmitExactly("CLIENT", [Source.Token(Source.Pick("LIST", "KILL")), .. filter]);
    }
}
