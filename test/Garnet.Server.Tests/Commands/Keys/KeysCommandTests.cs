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
    public void Leaves_expired_keys_out_and_has_many_once_each()
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
    public void An_empty_key_matches_the_star_alone()
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
}
