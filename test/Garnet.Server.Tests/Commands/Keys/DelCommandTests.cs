// DEL: what it removes, its reply and its effect. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class DelCommandTests
{
    [Fact]
    public void Removes_the_keys_that_exist_and_counts_them()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("SET", "b", "2");
        Assert.Equal(":2\r\n", server.Call("DEL", "a", "missing", "b"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "a", "b"));
        Assert.Equal(":0\r\n", server.Call("DEL", "a"));
    }

    [Fact]
    public void Counts_a_key_named_twice_once()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(":1\r\n", server.Call("DEL", "a", "a"));
    }

    [Fact]
    public void Does_not_count_an_expired_key()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("PEXPIRE", "a", "10");
        server.Clock.Advance(TimeSpan.FromMilliseconds(11));
        Assert.Equal(":0\r\n", server.Call("DEL", "a"));
    }

    [Fact]
    public void Is_propagated_if_it_removed_something()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("SET", "a", "1");
        server.Effects.Take();
        server.Call("DEL", "missing");
        server.Call("DEL", "a", "missing");
        Assert.Equal(["DEL a missing"], server.Effects.Take());
    }

    [Fact]
    public void Needs_a_key()
    {
        using InProcessServer server = new();
        Assert.Equal("-ERR wrong number of arguments for 'del' command\r\n", server.Call("DEL"));
    }

    [Fact]
    [Trait("Values", "InMemory")]
    public void Allocates_nothing()
    {
        using InProcessServer server = new();
        byte[] one = InProcessClient.Request("DEL", "a");
        byte[] several = InProcessClient.Request("DEL", "a", "b", "c");
        Allocations.AssertNone(server, one, several, InProcessClient.Request("SET", "b", "1"), InProcessClient.Request("EXISTS", "a", "b"));
    }
}
