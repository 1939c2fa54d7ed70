// DEBUG: who may use it, and the subcommands there are.
using Garnet.Server.Startup;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Commands.Debugging;

public sealed class DebugCommandTests
{
    private const string Refusal =
        "-ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you can run it from a local connection, "
        + "otherwise you need to set this option in the configuration file, and then restart the server.\r\n";

    [Fact]
    public void It_is_refused_unless_the_option_allows_it_also_at_queueing()
    {
        using InProcessServer server = new();
        Assert.Equal(Refusal, server.Call("DEBUG", "HELP"));
        server.Call("MULTI");
        Assert.Equal(Refusal, server.Call("DEBUG", "SLEEP", "0"));
        Assert.StartsWith("-EXECABORT", server.Call("EXEC"));
        Assert.Contains("cmdstat_debug:calls=0,usec=0,usec_per_call=0.00,rejected_calls=2,", server.Call("INFO", "commandstats"));
    }

    [Theory]
    [InlineData(CommandAccess.Yes)]
    [InlineData(CommandAccess.Local)]
    public void Local_clients_may_use_it_with_yes_and_local(CommandAccess access)
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = access);
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SLEEP", "0"));
        Assert.StartsWith("*", server.Call("DEBUG", "HELP"));
    }

    [Fact]
    public void Errors_asked_for_are_not_counted()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        Assert.Equal("-MYERR some text\r\n", server.Call("DEBUG", "ERROR", "MYERR some text"));
        Assert.Equal("-  \r\n", server.Call("DEBUG", "ERROR", "\r\n"));
        Assert.Equal("-\r\n", server.Call("DEBUG", "ERROR", ""));
        Assert.DoesNotContain("errorstat_", server.Call("INFO", "errorstats"));
        Assert.Contains("total_error_replies:0\r\n", server.Call("INFO", "stats"));
        Assert.Matches("cmdstat_debug:calls=3,.*,failed_calls=0\r\n", server.Call("INFO", "commandstats"));
    }

    [Fact]
    public void Periodic_work_can_be_paused()
    {
        using InProcessServer server = new(static options =>
        {
            options.EnableDebugCommand = CommandAccess.Yes;
            options.IdleTimeout = TimeSpan.FromSeconds(1);
        });
        InProcessClient idle = server.Connect();
        Assert.Equal("+PONG\r\n", idle.Call("PING"));
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "PAUSE-CRON", "1"));
        server.Clock.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal("+PONG\r\n", idle.Call("PING"));
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "PAUSE-CRON", "0"));
        server.Clock.Advance(TimeSpan.FromSeconds(60));
        Assert.True(idle.Session.End.IsForced);
    }

    [Fact]
    public void All_options_can_be_written()
    {
        string file = Path.GetTempFileName();
        try
        {
            using InProcessServer server = new(static options => options.EnableDebugCommand = CommandAccess.Yes, file: file);
            Assert.Equal("+OK\r\n", server.Call("CONFIG", "REWRITE"));
            Assert.DoesNotContain("\nmaxclients ", File.ReadAllText(file), StringComparison.Ordinal);
            Assert.Equal("+OK\r\n", server.Call("DEBUG", "CONFIG-REWRITE-FORCE-ALL"));
            string[] lines = File.ReadAllLines(file);
            Assert.Contains("maxclients 10000", lines);
            Assert.Contains("hz 10", lines);
            var options = new GarnetOptions();
            var reader = new OptionReader(options);
            reader.ReadFile(file);
            reader.Finish();
            Assert.Equal(10_000, options.MaxClients);
        }
        finally
        {
            File.Delete(file);
        }

        using InProcessServer without = new(static options => options.EnableDebugCommand = CommandAccess.Yes);
        Assert.Equal(
            "-ERR CONFIG-REWRITE-FORCE-ALL failed: The server is running without a config file\r\n",
            without.Call("DEBUG", "CONFIG-REWRITE-FORCE-ALL")
        );
    }

    [Fact]
    public void The_memory_of_clients_is_shown_by_size()
    {
        using InProcessServer server = new(static options => options.EnableDebugCommand = CommandAccess.Yes);
        Assert.Equal("-ERR maxmemory-clients is disabled.\r\n", server.Call("DEBUG", "CLIENT-EVICTION"));
        server.Call("CONFIG", "SET", "maxmemory-clients", "100mb");
        InProcessClient exempt = server.Connect();
        exempt.Call("CLIENT", "NO-EVICT", "on");
        string shown = server.Call("DEBUG", "CLIENT-EVICTION");
        string[] lines = [.. shown.Split('\n').Where(static line => line.StartsWith("bucket", StringComparison.Ordinal))];
        Assert.Equal(19, lines.Length);
        Assert.StartsWith("bucket          0 -      32767: tot-mem: ", lines[0], StringComparison.Ordinal);
        Assert.StartsWith("bucket      32768 -      65535: tot-mem: ", lines[1], StringComparison.Ordinal);
        Assert.StartsWith("bucket 4294967296+            : tot-mem: ", lines[^1], StringComparison.Ordinal);
        Assert.Equal(1, lines.Sum(static line => int.Parse(line[(line.LastIndexOf(' ') + 1)..].TrimEnd('\r'))));
    }

    [Fact]
    public void Protecting_a_client_names_one_that_is_there()
    {
        using InProcessServer server = new(static options => options.EnableDebugCommand = CommandAccess.Yes);
        string id = server.Call("CLIENT", "ID")[1..^2];
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "PROTECT-CLIENT", id));
        Assert.Equal("-ERR No such client\r\n", server.Call("DEBUG", "PROTECT-CLIENT", "999999"));
        Assert.Equal("-ERR Invalid client id\r\n", server.Call("DEBUG", "PROTECT-CLIENT", "x"));
    }

    [Theory]
    [InlineData("+OK", "QUICKLIST-PACKED-THRESHOLD", "100b")]
    [InlineData("-ERR argument must be a memory value bigger than 1 and smaller than 4gb", "QUICKLIST-PACKED-THRESHOLD", "4gb")]
    [InlineData("-ERR argument must be a memory value bigger than 1 and smaller than 4gb", "QUICKLIST-PACKED-THRESHOLD", "much")]
    [InlineData("+OK", "DICT-RESIZING", "0")]
    [InlineData("+OK", "HASHTABLE-CAN-ABORT-SHRINK", "1")]
    [InlineData("+OK", "CLIENT-ENFORCE-REPLY-LIST", "1")]
    [InlineData("+OK", "REPLYBUFFER", "RESIZING", "0")]
    [InlineData("+OK", "REPLYBUFFER", "PEAK-RESET-TIME", "reset")]
    [InlineData("+OK", "REPLYBUFFER", "PEAK-RESET-TIME", "100")]
    [InlineData("-ERR value is not an integer or out of range", "REPLYBUFFER", "PEAK-RESET-TIME", "soon")]
    [InlineData("-ERR unknown subcommand or wrong number of arguments for 'REPLYBUFFER'. Try DEBUG HELP.", "REPLYBUFFER", "SIZE", "1")]
    [InlineData("-ERR unknown subcommand or wrong number of arguments for 'DICT-RESIZING'. Try DEBUG HELP.", "DICT-RESIZING")]
    public void Settings_of_missing_parts_are_accepted(string reply, params string[] arguments)
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        Assert.Equal(reply + "\r\n", server.Call(["DEBUG", .. arguments]));
    }

    [Fact]
    public void The_replication_ID_changes_when_asked_to()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        string before = server.Call("INFO", "replication");
        Assert.Equal(before, server.Call("INFO", "replication"));
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "CHANGE-REPL-ID"));
        Assert.NotEqual(before, server.Call("INFO", "replication"));
    }

    [Fact]
    public void Subcommands_answer()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        Assert.Equal("-ERR no such key\r\n", server.Call("DEBUG", "OBJECT", "k"));
        server.Call("SET", "k", "12");
        long clock = server.NowMs / 1000 % (1 << 24);
        Assert.Matches(
            $"^\\+Value at:0x[0-9a-f]+ refcount:1 encoding:int serializedlength:2 lru:{clock} lru_seconds_idle:0\r\n$",
            server.Call("DEBUG", "OBJECT", "k")
        );
        string fast = server.Call("DEBUG", "OBJECT", "k", "FAST");
        Assert.Matches($"^\\+Value at:0x[0-9a-f]+ refcount:1 encoding:int lru:{clock} lru_seconds_idle:0\r\n$", fast);
        server.Call("INCR", "k");
        Assert.Equal(fast, server.Call("DEBUG", "OBJECT", "k", "FAST"));
        Assert.Equal("+Apparently the server did not crash: test passed\r\n", server.Call("DEBUG", "STRINGMATCH-TEST"));
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-ACTIVE-EXPIRE", "0"));
        Assert.False(server.Store.Maintenance.RemovesExpired);
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-ACTIVE-EXPIRE", "1"));
        Assert.True(server.Store.Maintenance.RemovesExpired);
        Assert.Equal("-MYERR some text\r\n", server.Call("DEBUG", "ERROR", "MYERR some text"));
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "LOG", "hello"));
        Assert.Equal("-ERR unknown subcommand or wrong number of arguments for 'JMAP'. Try DEBUG HELP.\r\n", server.Call("DEBUG", "JMAP"));
    }

    // The numbers are those of Valkey 9.1.2 for the same pushes.
    [Theory]
    [InlineData(-2, 100_000, " ql_nodes:57 ql_avg_node:1754.39 ql_listpack_max:-2 ql_compressed:0 ql_uncompressed_size:463410")]
    [InlineData(3, 8, " ql_nodes:3 ql_avg_node:2.67 ql_listpack_max:3 ql_compressed:0 ql_uncompressed_size:37")]
    public void A_large_list_reports_the_nodes_of_the_reference(int limit, int count, string nodes)
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        server.Call("CONFIG", "SET", "list-max-listpack-size", $"{limit}");
        for (int i = 1; i <= count; i += 10_000)
            server.Call(["RPUSH", "l", .. Enumerable.Range(i, Math.Min(10_000, count - i + 1)).Select(n => $"{n}")]);
        Assert.EndsWith(nodes + "\r\n", server.Call("DEBUG", "OBJECT", "l"), StringComparison.Ordinal);
        Assert.DoesNotContain("uncompressed", server.Call("DEBUG", "OBJECT", "l", "fast"), StringComparison.Ordinal);
        Assert.Equal("+Quicklist structure printed on stdout\r\n", server.Call("DEBUG", "QUICKLIST", "l"));
        Assert.Equal("-ERR Not a listpack encoded object.\r\n", server.Call("DEBUG", "LISTPACK", "l"));
    }

    [Fact]
    public void SDSLEN_LISTPACK_and_QUICKLIST_describe_values()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        server.Call("SET", "s", "abc");
        server.Call("SET", "i", "12");
        server.Call("RPUSH", "l", "a");
        Assert.StartsWith("+key_sds_len:1 key_sds_avail:0 obj_alloc:", server.Call("DEBUG", "SDSLEN", "s"), StringComparison.Ordinal);
        Assert.Contains(" val_sds_len:3 val_sds_avail:0 val_alloc:0\r\n", server.Call("DEBUG", "SDSLEN", "s"), StringComparison.Ordinal);
        Assert.Equal("-ERR Not an sds encoded string.\r\n", server.Call("DEBUG", "SDSLEN", "i"));
        Assert.Equal("-ERR Not an sds encoded string.\r\n", server.Call("DEBUG", "SDSLEN", "l"));
        Assert.Equal("+Listpack structure printed on stdout\r\n", server.Call("DEBUG", "LISTPACK", "l"));
        Assert.Equal("-ERR Not a listpack encoded object.\r\n", server.Call("DEBUG", "LISTPACK", "s"));
        Assert.Equal("-ERR Not a quicklist encoded object.\r\n", server.Call("DEBUG", "QUICKLIST", "l", "1"));
        foreach (string name in (string[])["SDSLEN", "LISTPACK", "QUICKLIST"])
            Assert.Equal("-ERR no such key\r\n", server.Call("DEBUG", name, "none"));
    }

    [Fact]
    public void A_digest_excludes_expired_fields()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        server.Store.Maintenance.RemovesExpired = false;
        server.Call("HSET", "h", "f", "v", "g", "w");
        string before = server.Call("DEBUG", "DIGEST-VALUE", "h");
        server.Call("HSET", "h", "gone", "1");
        server.Call("HPEXPIRE", "h", "1", "FIELDS", "1", "gone");
        Assert.NotEqual(before, server.Call("DEBUG", "DIGEST-VALUE", "h"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        Assert.Equal(before, server.Call("DEBUG", "DIGEST-VALUE", "h"));
    }

    [Fact]
    public void A_digest_includes_expired_keys_without_removing_them()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        server.Store.Maintenance.RemovesExpired = false;
        server.Call("SET", "a", "1", "PX", "1");
        string all = server.Call("DEBUG", "DIGEST");
        string value = server.Call("DEBUG", "DIGEST-VALUE", "a");
        server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        Assert.Equal(all, server.Call("DEBUG", "DIGEST"));
        Assert.Equal(value, server.Call("DEBUG", "DIGEST-VALUE", "a"));
        Assert.Equal(":1\r\n", server.Call("DBSIZE"));
    }

    // The sums are those of Valkey 9.1.2.
    [Fact]
    public void Digests_equal_those_of_the_reference()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        Assert.Equal("+0000000000000000000000000000000000000000\r\n", server.Call("DEBUG", "DIGEST"));
        server.Call("SET", "s", "12");
        server.Call("RPUSH", "l", "a", "1", "b");
        server.Call("SADD", "t", "x", "7", "y");
        server.Call("HSET", "h", "f", "v", "1", "2");
        server.Call("ZADD", "z", "1000000000", "m", "-0.5", "n", "inf", "o");
        server.Call("XADD", "x", "5-1", "f", "v", "g", "w");
        Assert.Equal(
            "*6\r\n+655ac46b180ad2f61a3cee25f0b1780fa2ec879a\r\n+d5f44352f6226abea9252dad248ef5de0d964396\r\n+a6afcc473373536adb071da403abcb70a693d104\r\n"
                + "+78186da816517abac4ec4b92f608dd6059a76ae9\r\n+fc8d1e7693c7b053efbf77519d67fd1d5ab301e9\r\n+19e4bd886a6ecfa770b4a04e4157bd2ca6f7fff1\r\n",
            server.Call("DEBUG", "DIGEST-VALUE", "s", "l", "t", "h", "z", "x")
        );
        server.Call("SELECT", "3");
        server.Call("SET", "e", "v", "EX", "1000");
        Assert.Equal(
            "*2\r\n+311b17018163335616e089f6b951c82c477335ac\r\n+0000000000000000000000000000000000000000\r\n",
            server.Call("DEBUG", "DIGEST-VALUE", "e", "none")
        );
        Assert.Equal("+8d1dcd081119447803c2a604533776cd900c10a5\r\n", server.Call("DEBUG", "DIGEST"));
    }

    [Fact]
    public void POPULATE_keeps_existing_keys()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes, recordEffects: true);
        server.Call("SET", "key:1", "mine");
        server.Effects.Take();
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "POPULATE", "3"));
        Assert.Equal(["SET key:0 value:0", "SET key:2 value:2"], server.Effects.Take());
        Assert.Equal("*3\r\n$7\r\nvalue:0\r\n$4\r\nmine\r\n$7\r\nvalue:2\r\n", server.Call("MGET", "key:0", "key:1", "key:2"));
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "POPULATE", "11", "p", "10"));
        Assert.Equal("$10\r\nvalue:10\0\0\r\n", server.Call("GET", "p:10"));
        server.Call("DEBUG", "POPULATE", "1", "short", "3");
        Assert.Equal("$3\r\nval\r\n", server.Call("GET", "short:0"));
        Assert.Equal("-ERR value is out of range, must be positive\r\n", server.Call("DEBUG", "POPULATE", "-1"));
        Assert.Equal("-ERR OOM in dbExpand\r\n", server.Call("DEBUG", "POPULATE", "9223372036854775807"));
        Assert.StartsWith("-ERR string exceeds", server.Call("DEBUG", "POPULATE", "1", "p", "9999999999"));
        server.Effects.Take();
        server.Call("MULTI");
        server.Call("DEBUG", "POPULATE", "2", "m");
        server.Call("EXEC");
        Assert.Equal(["MULTI; SET m:0 value:0; SET m:1 value:1; EXEC"], server.Effects.Take());
    }

    [Fact]
    [Trait("Values", "InMemory")]
    public void POPULATE_stops_when_memory_is_exhausted()
    {
        using InProcessServer server = new(options =>
        {
            options.EnableDebugCommand = CommandAccess.Yes;
            options.MaxMemoryBytes = 32 << 20;
        });
        Assert.StartsWith("-OOM ", server.Call("DEBUG", "POPULATE", "100000", "k", "1000"));
    }

    [Fact]
    public void SLEEP_works_inside_EXEC_beside_other_commands()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        server.Call("MULTI");
        server.Call("SET", "k", "v");
        server.Call("DEBUG", "SLEEP", "0.001");
        server.Call("GET", "k");
        Assert.Equal("*3\r\n+OK\r\n+OK\r\n$1\r\nv\r\n", server.Call("EXEC"));
    }

    [Theory]
    [InlineData("map", "*6\r\n:0\r\n:0\r\n:1\r\n:1\r\n:2\r\n:0\r\n", "%3\r\n:0\r\n#f\r\n:1\r\n#t\r\n:2\r\n#f\r\n")]
    [InlineData("set", "*3\r\n:0\r\n:1\r\n:2\r\n", "~3\r\n:0\r\n:1\r\n:2\r\n")]
    [InlineData("double", "$5\r\n3.141\r\n", ",3.141\r\n")]
    [InlineData("null", "$-1\r\n", "_\r\n")]
    [InlineData("bignum", "$37\r\n1234567999999999999999999999999999999\r\n", "(1234567999999999999999999999999999999\r\n")]
    [InlineData("verbatim", "$25\r\nThis is a verbatim\nstring\r\n", "=29\r\ntxt:This is a verbatim\nstring\r\n")]
    [InlineData(
        "push",
        "-ERR RESP2 is not supported by this command\r\n",
        ">2\r\n$16\r\nserver-cpu-usage\r\n:42\r\n$40\r\nSome real reply following the push reply\r\n"
    )]
    public void PROTOCOL_shows_each_type(string type, string older, string newer)
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        Assert.Equal(older, server.Call("DEBUG", "PROTOCOL", type));
        Assert.Equal(newer, server.Connect(3).Call("DEBUG", "PROTOCOL", type));
    }

    [Fact]
    public void A_script_calls_it_if_that_is_allowed()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        const string Script = "redis.call('debug', 'sleep', '0') return redis.call('debug', 'error', 'MYERR x')";
        Assert.Contains("not allowed from script", server.Call("EVAL", Script, "0"));
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-DISABLE-DENY-SCRIPTS", "1"));
        Assert.StartsWith("-MYERR x", server.Call("EVAL", Script, "0"));
        Assert.Contains("not allowed from script", server.Call("EVAL", "return redis.call('multi')", "0"));
        Assert.StartsWith(
            "-ERR DEBUG RELOAD is not possible inside a transaction",
            server.Call("EVAL", "return redis.pcall('debug', 'reload')", "0")
        );
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-DISABLE-DENY-SCRIPTS", "0"));
        Assert.Contains("not allowed from script", server.Call("EVAL", Script, "0"));
    }

    [Fact]
    [Trait("Values", "InMemory")]
    public void TIER_COLD_moves_all_values_or_those_of_some_keys_to_disk()
    {
        using InProcessServer server = new(static options => options.EnableDebugCommand = CommandAccess.Yes);
        ColdServer.Open(server.Store, server.Server.Executor.Gates.ColdValues);
        server.Call("MSET", "a", "1", "b", "2", "empty", "");
        server.Call("RPUSH", "list", "1");
        server.Client.Send(InProcessClient.Request("DEBUG", "TIER", "COLD", "a", "missing", "list"));
        Assert.Equal(":1\r\n", Later.ReceiveUntilReady(server.Client));
        Assert.Equal(1, server.Store.Tier!.Statistics.ColdKeys);
        server.Call("SELECT", "1");
        server.Call("SADD", "c", "x");
        server.Client.Send(InProcessClient.Request("DEBUG", "TIER", "COLD"));
        Assert.Equal(":2\r\n", Later.ReceiveUntilReady(server.Client));
        Assert.Equal(3, server.Store.Tier.Statistics.ColdKeys);
        Assert.Equal("*1\r\n$1\r\nx\r\n", server.Call("SMEMBERS", "c"));
    }

    [Fact]
    [Trait("Values", "InMemory")]
    public void TIER_COLD_needs_a_tier_and_is_refused_where_nothing_may_wait()
    {
        using InProcessServer server = new(static options => options.EnableDebugCommand = CommandAccess.Yes);
        Assert.Equal("-ERR DEBUG TIER COLD needs maxdisk: all values are in memory\r\n", server.Call("DEBUG", "TIER", "COLD"));
        Assert.StartsWith("-ERR unknown subcommand", server.Call("DEBUG", "TIER", "WARM"));
        ColdServer.Open(server.Store, server.Server.Executor.Gates.ColdValues);
        server.Call("MULTI");
        server.Call("DEBUG", "TIER", "COLD");
        Assert.Equal("*1\r\n-ERR DEBUG TIER COLD is not possible inside a transaction, as it waits for the disk\r\n", server.Call("EXEC"));
    }

    [Fact]
    [Trait("Values", "InMemory")]
    public void OBJECT_and_the_others_read_a_value_on_disk()
    {
        using InProcessServer server = new(static options => options.EnableDebugCommand = CommandAccess.Yes);
        ColdServer.Open(server.Store, server.Server.Executor.Gates.ColdValues);
        foreach (
            string[] call in (string[][])
                [
                    ["OBJECT", "k"],
                    ["SDSLEN", "k"],
                    ["LISTPACK", "h"],
                ]
        )
        {
            server.Call("SET", "k", "value");
            server.Call("HSET", "h", "f", "v");
            TierSweep.MoveAll(server.Store);
            Assert.StartsWith("+", server.Call(["DEBUG", .. call]));
        }

        Assert.Equal(3, server.Store.Tier!.Statistics.ReadsUnderBarrier);
    }
}
