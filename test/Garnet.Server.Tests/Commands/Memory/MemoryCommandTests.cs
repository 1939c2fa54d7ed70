// MEMORY: USAGE's estimate and errors, STATS, PURGE and DOCTOR.
using Xunit;

namespace Garnet.Server.Tests.Commands.Memory;

public sealed class MemoryCommandTests
{
    [Theory]
    [InlineData("$-1\r\n", "missing")]
    [InlineData("-ERR syntax error\r\n", "missing", "COUNT", "1")]
    [InlineData("-ERR syntax error\r\n", "missing", "SAMPLES")]
    [InlineData("-ERR syntax error\r\n", "missing", "SAMPLES", "-1")]
    [InlineData("-ERR value is not an integer or out of range\r\n", "missing", "SAMPLES", "x")]
    public void USAGE_without_a_key_and_with_wrong_options(string reply, params string[] arguments)
    {
        using InProcessServer server = new();
        Assert.Equal(reply, server.Call(["MEMORY", "USAGE", .. arguments]));
    }

    [Fact]
    [Trait("Values", "InMemory")]
    public void USAGE_grows_with_key_value_and_expiry()
    {
        using InProcessServer server = new();
        server.Call("SET", "k", "1234567");
        Assert.Equal(":32\r\n", server.Call("MEMORY", "USAGE", "k"));
        server.Call("SET", "k", "12345678");
        Assert.Equal(":40\r\n", server.Call("MEMORY", "USAGE", "k", "SAMPLES", "0"));
        server.Call("SET", "k", "12345678", "EX", "100");
        Assert.Equal(":48\r\n", server.Call("MEMORY", "USAGE", "k"));
        server.Call("SET", "k", new string('x', 1 << 20));
        Assert.InRange(Usage(server, "k"), 1 << 20, (1 << 20) + 256);
    }

    // As in Valkey, an expired key takes memory until it is removed, and this command does not remove it.
    [Fact]
    [Trait("Values", "InMemory")]
    public void USAGE_shows_a_key_that_has_expired()
    {
        using InProcessServer server = new();
        server.Call("DEBUG", "SET-ACTIVE-EXPIRE", "0");
        server.Call("SET", "k", "1234567", "PX", "1");
        server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        Assert.Equal(":40\r\n", server.Call("MEMORY", "USAGE", "k"));
        Assert.Equal(":1\r\n", server.Call("DBSIZE"));
        Assert.Equal("$-1\r\n", server.Call("GET", "k"));
        Assert.Equal("$-1\r\n", server.Call("MEMORY", "USAGE", "k"));
    }

    [Fact]
    public void USAGE_counts_the_trees_of_large_collections()
    {
        using InProcessServer server = new();
        server.Call(["SADD", "s", .. Enumerable.Range(0, 20_000).Select(i => $"member:{i}")]);
        Assert.InRange(Usage(server, "s"), 20_000 * 11, 20_000 * 64);
    }

    private static long Usage(InProcessServer server, string key) =>
        long.Parse(server.Call("MEMORY", "USAGE", key)[1..^2], System.Globalization.CultureInfo.InvariantCulture);

    [Fact]
    public void STATS_counts_keys_by_database()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("SET", "b", "2");
        server.Call("SELECT", "3");
        server.Call("SET", "c", "1", "EX", "1000");
        string stats = server.Connect(3).Call("MEMORY", "STATS");
        Assert.StartsWith("%36\r\n$14\r\npeak.allocated\r\n:", stats);
        Assert.Contains("$10\r\nkeys.count\r\n:3\r\n", stats);
        Assert.Contains("$4\r\ndb.0\r\n%2\r\n$23\r\noverhead.hashtable.main\r\n:", stats);
        Assert.Contains("$26\r\noverhead.hashtable.expires\r\n:8\r\n", stats);
        Assert.Contains("$15\r\npeak.percentage\r\n,100\r\n", stats);
    }

    [Fact]
    public void PURGE_replies_after_the_garbage_collection_but_at_once_inside_EXEC()
    {
        using InProcessServer server = new();
        server.Client.Send(InProcessClient.Request("MEMORY", "PURGE"));
        Assert.Equal("+OK\r\n", Later.ReceiveUntilReady(server.Client));
        Assert.Equal("+OK\r\n", server.Call("MULTI"));
        Assert.Equal("+QUEUED\r\n", server.Call("MEMORY", "PURGE"));
        Assert.Equal("*1\r\n+OK\r\n", server.Call("EXEC"));
        Assert.StartsWith("$", server.Call("MEMORY", "DOCTOR"));
    }

    [Fact]
    public void A_copy_takes_as_much_memory_as_its_source()
    {
        using InProcessServer server = new();
        server.Call("HSET", "one{t}", "f1", "v1", "f2", "v2", "f3", "v3");
        server.Call("HPEXPIRE", "one{t}", "500000", "FIELDS", "1", "f1");
        server.Call("HDEL", "one{t}", "f3");
        server.Call("COPY", "one{t}", "two{t}");
        Assert.Equal(server.Call("MEMORY", "USAGE", "one{t}"), server.Call("MEMORY", "USAGE", "two{t}"));
    }
}
