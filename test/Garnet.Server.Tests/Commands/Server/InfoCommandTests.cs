// INFO: its sections, and values that other commands change. TIME and ROLE.
using Xunit;

namespace Garnet.Server.Tests.Commands.Server;

public sealed class InfoCommandTests
{
    private const string Default =
        "Server Clients Memory Tier Persistence Threads Stats Replication CPU Modules Errorstats Cluster Keyspace";

    [Theory]
    [InlineData(Default)]
    [InlineData(Default, "default")]
    [InlineData(
        "Server TLS Clients Memory Tier Persistence Threads Stats Replication CPU Modules Commandstats Errorstats Latencystats Cluster Scripting Engines Keyspace",
        "all"
    )]
    [InlineData(
        "Server TLS Clients Memory Tier Persistence Threads Stats Replication CPU Modules Commandstats Errorstats Latencystats Cluster Scripting Engines Keyspace",
        "everything"
    )]
    [InlineData("Server Cluster", "CLUSTER", "server", "nosuch")]
    [InlineData("", "nosuch")]
    public void Sections_are_those_asked_for(string titles, params string[] sections)
    {
        using InProcessServer server = new();
        string text = server.Call(["INFO", .. sections]);
        Assert.Equal(
            titles,
            string.Join(' ', text.Split("\r\n").Where(line => line.StartsWith("# ", StringComparison.Ordinal)).Select(line => line[2..]))
        );
    }

    [Fact]
    public void RESP3_gets_a_verbatim_text()
    {
        using InProcessServer server = new();
        Assert.StartsWith("=34\r\ntxt:# Cluster\r\ncluster_enabled:0\r\n", server.Connect(3).Call("INFO", "cluster"));
    }

    [Theory]
    [InlineData("server", "lru_clock")]
    [InlineData("persistence", "current_cow_size_age", "module_fork_in_progress")]
    [InlineData("memory", "mem_clients_slaves", "used_memory_lua", "number_of_functions")]
    [InlineData("stats", "pubsub_channels", "acl_access_denied_cmd", "acl_access_denied_key", "acl_access_denied_channel")]
    public void Fields_of_missing_features_are_reported_where_monitoring_tools_read_them(string section, params string[] fields)
    {
        using InProcessServer server = new();
        string text = server.Call("INFO", section);
        Assert.All(fields, field => Assert.Matches($"\r\n{field}:\\d+\r\n", text));
    }

    [Fact]
    public void Clients_blocked_with_a_timeout_are_distinguished_from_those_without()
    {
        using InProcessServer server = new();
        InProcessClient first = server.Connect(),
            second = server.Connect(),
            third = server.Connect();
        Assert.Equal("", first.Call("BLPOP", "k", "0"));
        Assert.Equal("", second.Call("BLPOP", "k", "100"));
        Assert.Equal("", third.Call("WAIT", "1", "5000"));
        string clients = server.Call("INFO", "clients");
        Assert.Contains("blocked_clients:3\r\n", clients);
        Assert.Contains("clients_in_timeout_table:2\r\n", clients);
    }

    [Theory]
    [InlineData(1, "EXPIREAT", "k", "1")]
    [InlineData(1, "PEXPIRE", "k", "0")]
    [InlineData(1, "SET", "k", "v", "EXAT", "1")]
    [InlineData(1, "SET", "k", "v", "GET", "PXAT", "1")]
    [InlineData(1, "GETEX", "k", "EXAT", "1")]
    [InlineData(0, "EXPIREAT", "other", "1")]
    [InlineData(0, "SET", "other", "v", "EXAT", "1")]
    [InlineData(0, "DEL", "k")]
    public void Keys_set_to_expire_in_the_past_count_as_expired(int expired, params string[] arguments)
    {
        using InProcessServer server = new();
        server.Call("SET", "k", "v");
        server.Call(arguments);
        Assert.Contains($"\r\nexpired_keys:{expired}\r\n", server.Call("INFO", "stats"));
    }

    [Fact]
    public void Commands_and_errors_are_counted_until_RESETSTAT()
    {
        using InProcessServer server = new();
        server.Call("SET", "k", "v");
        server.Call("GET", "k");
        server.Call("GET", "missing");
        server.Call("GET");
        server.Call("AUTH", "nobody", "x");
        server.Call("NOSUCH");
        Assert.Matches(
            "cmdstat_get:calls=2,usec=\\d+,usec_per_call=\\d+\\.\\d\\d,rejected_calls=1,failed_calls=0\r\n",
            server.Call("INFO", "commandstats")
        );
        Assert.Matches(
            "cmdstat_auth:calls=1,usec=\\d+,usec_per_call=\\d+\\.\\d\\d,rejected_calls=0,failed_calls=1\r\n",
            server.Call("INFO", "commandstats")
        );
        Assert.Contains("# Errorstats\r\nerrorstat_ERR:count=2\r\nerrorstat_WRONGPASS:count=1\r\n", server.Call("INFO", "errorstats"));
        string stats = server.Call("INFO", "stats");
        Assert.Contains("keyspace_hits:1\r\nkeyspace_misses:1\r\n", stats);
        Assert.Contains("total_error_replies:3\r\n", stats);
        Assert.Contains("total_connections_received:1\r\n", stats);
        Assert.Contains("db0:keys=1,expires=0,avg_ttl=0,keys_with_volatile_items=0\r\n", server.Call("INFO", "keyspace"));

        Assert.Equal("+OK\r\n", server.Call("CONFIG", "RESETSTAT"));
        Assert.DoesNotContain("cmdstat_get", server.Call("INFO", "commandstats"));
        Assert.DoesNotContain("errorstat_", server.Call("INFO", "errorstats"));
    }

    [Fact]
    public void The_servers_own_codes_are_counted_after_128_others()
    {
        using InProcessServer server = new();
        for (int i = 0; i < 128; i++)
            server.Call("EVAL", $"return redis.error_reply('CODE{i} x')", "0");
        server.Call("NOSUCH");
        server.Call("SET", "k", "v");
        server.Call("LPUSH", "k", "v");
        string errors = server.Call("INFO", "errorstats");
        Assert.Contains("errorstat_ERR:count=1\r\n", errors, StringComparison.Ordinal);
        Assert.Contains("errorstat_WRONGTYPE:count=1\r\n", errors, StringComparison.Ordinal);
    }

    [Fact]
    public void Errors_with_new_codes_are_counted_together_after_128_codes()
    {
        Garnet.Engine.Counters.ErrorTally tally = new();
        for (int i = 0; i < 200; i++)
            tally.OnError(System.Text.Encoding.ASCII.GetBytes($"CODE{i} text"));
        tally.OnError("CODE0 text"u8);
        tally.OnError("nocode"u8);
        SortedDictionary<string, long> sums = [];
        tally.AddTo(sums);
        Assert.Equal(130, sums.Count);
        Assert.Equal(2, sums["CODE0"]);
        Assert.Equal(1, sums["ERR"]);
        Assert.Equal(72, sums["ERRORSTATS_OVERFLOW"]);
    }

    [Fact]
    public void TIME_and_uptime_follow_the_clock()
    {
        using InProcessServer server = new();
        server.Clock.Jump(TimeSpan.FromHours(25));
        Assert.Contains("uptime_in_seconds:90000\r\nuptime_in_days:1\r\n", server.Call("INFO", "server"));
        string seconds = $"{server.NowMs / 1000}";
        Assert.StartsWith($"*2\r\n${seconds.Length}\r\n{seconds}\r\n", server.Call("TIME"));
    }

    [Fact]
    public void ROLE_is_that_of_a_primary_without_replicas()
    {
        using InProcessServer server = new();
        Assert.Equal("*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n", server.Call("ROLE"));
    }

    [Fact]
    public void Large_collections_freed_in_the_background_are_counted()
    {
        using InProcessServer server = new();
        server.Call(["RPUSH", "large", .. Enumerable.Range(0, 10_000).Select(i => $"{i}")]);
        server.Call(["ZADD", "scored", .. Enumerable.Range(0, 1000).SelectMany(i => (string[])[$"{i}", $"m{i}"])]);
        server.Call("RPUSH", "small", "1");
        server.Call("XADD", "stream", "*", "f", "v");
        Assert.Equal(":4\r\n", server.Call("UNLINK", "large", "small", "scored", "stream"));
        Assert.True(
            SpinWait.SpinUntil(
                () => server.Call("INFO", "memory").Contains("lazyfree_pending_objects:0\r\n", StringComparison.Ordinal),
                TimeSpan.FromSeconds(30)
            )
        );
        Assert.Contains("lazyfreed_objects:2\r\n", server.Call("INFO", "memory"), StringComparison.Ordinal);
        server.Call("CONFIG", "RESETSTAT");
        Assert.Contains("lazyfreed_objects:0\r\n", server.Call("INFO", "memory"), StringComparison.Ordinal);
    }

    [Fact]
    public void Portions_of_requests_and_replies_are_counted()
    {
        using InProcessServer server = new();
        server.Call("PING");
        server.Call("PING");
        Assert.Contains("total_reads_processed:2\r\ntotal_writes_processed:2\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
    }

    // As in Valkey 9.1.2, only storing a result notices that the key has expired.
    [Theory]
    [InlineData("SUNIONSTORE k none", 0)]
    [InlineData("SINTERSTORE k none", 0)]
    [InlineData("SORT none STORE k", 0)]
    [InlineData("ZUNIONSTORE k 1 none", 0)]
    [InlineData("ZRANGESTORE k none 0 -1", 0)]
    [InlineData("GEOSEARCHSTORE k none FROMLONLAT 0 0 BYRADIUS 1 m", 0)]
    [InlineData("BITOP AND k none", 0)]
    [InlineData("SUNIONSTORE k s", 1)]
    [InlineData("COPY s k", 1)]
    public void A_key_that_is_only_deleted_does_not_count_as_expired(string command, int expired)
    {
        using InProcessServer server = new();
        server.Call("SADD", "s", "a");
        server.Call("SET", "k", "v", "PX", "10");
        server.Clock.Advance(TimeSpan.FromMilliseconds(11));
        server.Call(command.Split(' '));
        Assert.Contains($"\r\nexpired_keys:{expired}\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
    }
}
