// KEYS. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class KeysCommandTests
{
    [Theory]
    [InlineData("*", "one three two")]
    [InlineData("t*", "three two")]
    [InlineData("[^o]*o", "two")]
    [InlineData("?n?", "one")]
    [InlineData("none", "")]
    [InlineData("", "")]
    public void Gives_the_keys_that_match(string pattern, string keys)
    {
        using InProcessServer server = new();
        foreach (string key in (string[])["one", "two", "three"])
            server.Call("SET", key, "1");
        server.Call("SELECT", "1");
        server.Call("SET", "other", "1");
        server.Call("SELECT", "0");
        Assert.Equal(keys.Split(' ', StringSplitOptions.RemoveEmptyEntries), Elements.Of(server.Call("KEYS", pattern)).Order());
    }

    [Fact]
    public void Omits_expired_keys_and_lists_many_once_each()
    {
        using InProcessServer server = new();
        for (int i = 0; i < 3000; i++)
            server.Call("SET", $"k{i}", "1");
        server.Call("PEXPIRE", "k0", "1");
        server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        string[] keys = Elements.Of(server.Call("KEYS", "*"));
        Assert.Equal(2999, keys.Length);
        Assert.Equal(2999, keys.Distinct().Count());
    }

    [Fact]
    public void An_empty_key_matches_only_the_star()
    {
        using InProcessServer server = new();
        server.Call("SET", "", "1");
        Assert.Equal("*1\r\n$0\r\n\r\n", server.Call("KEYS", "*"));
        Assert.Equal("*0\r\n", server.Call("KEYS", "**"));
        Assert.Equal("*1\r\n$0\r\n\r\n", server.Call("KEYS", ""));
    }

    [Fact]
    public void Hostile_patterns_do_not_stop_the_server()
    {
        using InProcessServer server = new();
        server.Call("SET", new string('a', 10_000), "1");
        Assert.Equal("*0\r\n", server.Call("KEYS", string.Concat(Enumerable.Repeat("a*", 900)) + "b"));
    }

    [Fact]
    public void The_pieces_of_a_long_call_are_logged_and_counted_as_one()
    {
        using InProcessServer server = new(static options => options.SlowerThanMicroseconds = 60_000);
        // A piece takes at most 20 ms unless it is interrupted. Keys are added until all pieces together are slow, however fast the machine
        // is.
        InProcessClient caller = server.Connect();
        int keys = 0;
        while (!server.Call("SLOWLOG", "GET", "-1").Contains("\r\nKEYS\r\n", StringComparison.Ordinal))
        {
            Assert.True(keys < 10_000_000, "KEYS of ten million keys took less than 60 ms.");
            for (int batch = 0; batch < 100; batch++, keys += 1000)
                server.Call(["MSET", .. Enumerable.Range(keys, 1000).SelectMany(static i => (string[])[$"key:{i}", "v"])]);
            server.Call("CONFIG", "RESETSTAT");
            // Its session continues on another thread between the pieces.
            caller.Send(InProcessClient.Request("KEYS", "*:99999*"));
            while (caller.Receive().Length == 0)
                Thread.Yield();
        }

        string statistics = server.Call("INFO", "commandstats");
        Assert.Contains("cmdstat_keys:calls=1,", statistics, StringComparison.Ordinal);
        long microseconds = long.Parse(
            statistics.Split("cmdstat_keys:calls=1,usec=")[1].Split(',')[0],
            System.Globalization.CultureInfo.InvariantCulture
        );
        Assert.True(microseconds >= 60_000, statistics);
        string latencies = server.Call("LATENCY", "HISTOGRAM", "keys");
        Assert.Contains("calls\r\n:1\r\n", latencies, StringComparison.Ordinal);
    }
}
