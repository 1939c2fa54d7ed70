// What clients observe of a full server. Each test has its own server.
using System.Globalization;
using Garnet.Server.Basics;
using Garnet.Server.Tests.Commands;
using Garnet.Store.Eviction;
using Xunit;

namespace Garnet.Server.Tests.Eviction;

public sealed class EvictionTests
{
    private const long Limit = 24 << 20;

    [Fact]
    public void A_full_server_refuses_writes_that_need_memory_and_still_serves_reads_and_deletes()
    {
        using InProcessServer server = Full(EvictionPolicy.NoEviction);
        int keys = Fill(server);
        Assert.InRange(keys, 15_000, 30_000);
        Assert.Equal(Replies.OutOfMemory, server.Call("SET", "more", new string('v', 4000)));
        Assert.Equal(Replies.OutOfMemory, server.Call("LPUSH", "list", new string('v', 4000)));
        Assert.StartsWith("$1000\r\n", server.Call("GET", "key0"), StringComparison.Ordinal);
        Assert.Equal(":1\r\n", server.Call("EXPIRE", "key0", "100"));
        for (int i = 0; i < 10; i++)
            Assert.Equal(":1\r\n", server.Call("DEL", "key" + i));
        Assert.Equal("+OK\r\n", server.Call("SET", "more", "v"));
        Assert.Equal("0", Info(server, "stats", "evicted_keys"));
        Assert.Equal("0", Info(server, "stats", "current_eviction_exceeded_time"));
    }

    [Fact]
    public void INFO_counts_what_expired_and_was_evicted_since_the_last_reset()
    {
        using InProcessServer server = Full(EvictionPolicy.AllKeysLru);
        Fill(server, 40_000);
        // From here on none is evicted before it expires.
        server.Call("CONFIG", "SET", "maxmemory", "0");
        for (int i = 0; i < 100; i++)
            server.Call("SET", "short" + i, "v", "PX", "10");
        server.Call("HSET", "hash", "a", "1", "b", "2");
        server.Call("HPEXPIRE", "hash", "10", "FIELDS", "1", "a");
        server.Clock.Advance(TimeSpan.FromSeconds(10));
        while (server.Store.Maintenance.Run()) { }

        Assert.Equal("100", Info(server, "stats", "expired_keys"));
        Assert.Equal("1", Info(server, "stats", "expired_fields"));
        Assert.NotEqual("0", Info(server, "stats", "evicted_keys"));
        Assert.True(double.Parse(Info(server, "stats", "expired_stale_perc"), CultureInfo.InvariantCulture) > 0);
        Assert.True(double.Parse(Info(server, "stats", "expired_keys_with_volatile_items_stale_perc"), CultureInfo.InvariantCulture) > 0);
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "RESETSTAT"));
        foreach (
            string field in (string[])
                [
                    "expired_keys",
                    "expired_fields",
                    "expired_time_cap_reached_count",
                    "expire_cycle_cpu_milliseconds",
                    "evicted_keys",
                    "total_eviction_exceeded_time",
                ]
        )
        {
            Assert.Equal("0", Info(server, "stats", field));
        }

        Assert.Equal("0.00", Info(server, "stats", "expired_stale_perc"));
        Assert.Equal("0.00", Info(server, "stats", "expired_keys_with_volatile_items_stale_perc"));
    }

    [Fact]
    public void A_limit_may_be_a_percentage_of_the_available_memory()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "maxmemory", "50%"));
        Assert.Equal(MachineMemory.LimitBytes / 2.0, server.Store.Budget.MaxBytes, 2.0);
    }

    [Fact]
    public void A_full_server_with_a_policy_takes_every_write()
    {
        using InProcessServer server = Full(EvictionPolicy.AllKeysLru);
        for (int i = 0; i < 60_000; i++)
            Assert.Equal("+OK\r\n", server.Call("SET", "key" + i, new string('v', 1000)));
        long evicted = long.Parse(Info(server, "stats", "evicted_keys"), CultureInfo.InvariantCulture);
        Assert.Equal($":{60_000 - evicted}\r\n", server.Call("DBSIZE"));
        Assert.True(evicted > 20_000);
    }

    [Fact]
    public void Evicted_keys_reach_the_write_sink_as_deletions()
    {
        using InProcessServer server = new(
            o => (o.MaxMemoryBytes, o.MaxMemoryPolicy) = (Limit, EvictionPolicy.AllKeysRandom),
            recordEffects: true
        );
        Fill(server, 30_000);
        long evicted = long.Parse(Info(server, "stats", "evicted_keys"), CultureInfo.InvariantCulture);
        Assert.True(evicted > 0);
        Assert.Equal(evicted, server.Effects.Take().Count(effect => effect.StartsWith("DEL ", StringComparison.Ordinal)));
    }

    [Fact]
    public void The_policy_and_its_settings_change_while_the_server_runs()
    {
        using InProcessServer server = Full(EvictionPolicy.NoEviction);
        Fill(server);
        Assert.Equal(Replies.OutOfMemory, server.Call("SET", "more", new string('v', 4000)));
        foreach (string policy in (string[])["volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl"])
        {
            Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "maxmemory-policy", policy));
            Assert.Equal(Replies.OutOfMemory, server.Call("SET", "more", new string('v', 4000)));
        }

        foreach (string policy in (string[])["allkeys-lru", "allkeys-lfu", "allkeys-random"])
        {
            Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "maxmemory-policy", policy));
            Assert.Equal("+OK\r\n", server.Call("SET", policy, new string('v', 4000)));
            Assert.Equal(
                $"*2\r\n$16\r\nmaxmemory-policy\r\n${policy.Length}\r\n{policy}\r\n",
                server.Call("CONFIG", "GET", "maxmemory-policy")
            );
        }

        Assert.StartsWith(
            "-ERR CONFIG SET failed (possibly related to argument 'maxmemory-policy')",
            server.Call("CONFIG", "SET", "maxmemory-policy", "best"),
            StringComparison.Ordinal
        );
        Assert.Equal(
            "+OK\r\n",
            server.Call(
                "CONFIG",
                "SET",
                "maxmemory-samples",
                "10",
                "maxmemory-eviction-tenacity",
                "100",
                "lfu-log-factor",
                "1",
                "lfu-decay-time",
                "0"
            )
        );
        Assert.Equal(
            new EvictionSettings
            {
                Policy = EvictionPolicy.AllKeysRandom,
                Samples = 10,
                Tenacity = 100,
                FrequencyLogFactor = 1,
                FrequencyDecayMinutes = 0,
            },
            server.Store.Eviction
        );
    }

    [Fact]
    public void OBJECT_reports_frequencies_with_an_LFU_policy_and_idle_times_otherwise()
    {
        using InProcessServer server = new(o => o.MaxMemoryPolicy = EvictionPolicy.AllKeysLfu);
        server.Call("SET", "a", "1");
        Assert.Equal(":5\r\n", server.Call("OBJECT", "FREQ", "a"));
        server.Call("GET", "a");
        Assert.Equal(":6\r\n", server.Call("OBJECT", "FREQ", "a"));
        Assert.StartsWith(
            "-ERR An LFU maxmemory policy is selected, idle time not tracked.",
            server.Call("OBJECT", "IDLETIME", "a"),
            StringComparison.Ordinal
        );
        server.Call("CLIENT", "NO-TOUCH", "ON");
        server.Call("GET", "a");
        Assert.Equal(":6\r\n", server.Call("OBJECT", "FREQ", "a"));
        server.Call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        Assert.StartsWith("-ERR An LFU maxmemory policy is not selected", server.Call("OBJECT", "FREQ", "a"), StringComparison.Ordinal);
        server.Call("SET", "b", "1");
        Assert.Equal(":0\r\n", server.Call("OBJECT", "IDLETIME", "b"));
    }

    [Fact]
    public void RESTORE_takes_idle_times_and_frequencies_as_the_policy_keeps_them()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        string payload = Payload(server.Call("DUMP", "a"));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "idle", "0", payload, "IDLETIME", "1000"));
        Assert.Equal(":1000\r\n", server.Call("OBJECT", "IDLETIME", "idle"));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "idle", "0", payload, "REPLACE", "IDLETIME", "77"));
        Assert.Equal(":77\r\n", server.Call("OBJECT", "IDLETIME", "idle"));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "fresh", "0", payload, "FREQ", "200"));
        Assert.Equal(":0\r\n", server.Call("OBJECT", "IDLETIME", "fresh"));
        server.Call("CONFIG", "SET", "maxmemory-policy", "volatile-lfu");
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "often", "0", payload, "FREQ", "200"));
        Assert.Equal(":200\r\n", server.Call("OBJECT", "FREQ", "often"));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "new", "0", payload, "IDLETIME", "1000"));
        Assert.Equal(":5\r\n", server.Call("OBJECT", "FREQ", "new"));
    }

    [Fact]
    public void An_eviction_aborts_a_transaction_that_watches_the_key()
    {
        using InProcessServer server = Full(EvictionPolicy.AllKeysLru);
        server.Call("SET", "watched", "1");
        server.Clock.Advance(TimeSpan.FromSeconds(10));
        server.Store.Maintenance.Run();
        server.Call("WATCH", "watched");
        using InProcessClient other = server.Connect();
        // Sampling is random, so the key is evicted sooner or later; only eviction deletes it.
        for (int i = 0; other.Call("EXISTS", "watched") == ":1\r\n"; i++)
        {
            Assert.True(i < 2000, "The oldest key was never evicted.");
            for (int j = 0; j < 1000; j++)
                other.Call("SET", "key" + ((1000 * i) + j), new string('v', 1000));
        }

        server.Call("MULTI");
        server.Call("PING");
        Assert.Equal("*-1\r\n", server.Call("EXEC"));
    }

    [Fact]
    public void A_transaction_is_admitted_or_rejected_as_a_whole()
    {
        using InProcessServer server = Full(EvictionPolicy.NoEviction);
        server.Call("MULTI");
        server.Call("SET", "a", new string('v', 4000));
        server.Call("GET", "a");
        using InProcessClient other = server.Connect();
        for (int i = 0; other.Call("SET", "key" + i, new string('v', 1000)) == "+OK\r\n"; i++) { }

        Assert.StartsWith("-EXECABORT", server.Call("EXEC"), StringComparison.Ordinal);
        server.Call("MULTI");
        Assert.Equal("+QUEUED\r\n", server.Call("GET", "key0"));
        Assert.StartsWith("*1\r\n$1000\r\n", server.Call("EXEC"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("101%", "percentage argument must be less or equal to 100")]
    [InlineData("x%", "argument must be a memory or percent value")]
    [InlineData("x", "argument must be a memory value")]
    public void A_wrong_limit_is_refused(string value, string problem)
    {
        using InProcessServer server = new();
        Assert.Equal(
            $"-ERR CONFIG SET failed (possibly related to argument 'maxmemory') - {problem}\r\n",
            server.Call("CONFIG", "SET", "maxmemory", value)
        );
    }

    private static InProcessServer Full(EvictionPolicy policy) => new(o => (o.MaxMemoryBytes, o.MaxMemoryPolicy) = (Limit, policy));

    private static string Info(InProcessServer server, string section, string field)
    {
        string line = server.Call("INFO", section).Split("\r\n").First(line => line.StartsWith(field + ":", StringComparison.Ordinal));
        return line[(field.Length + 1)..];
    }

    private static int Fill(InProcessServer server, int most = int.MaxValue)
    {
        int keys = 0;
        while (keys < most && server.Call("SET", "key" + keys, new string('v', 1000)) == "+OK\r\n")
            keys++;
        return keys;
    }

    private static string Payload(string bulk) => bulk[(bulk.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];
}
