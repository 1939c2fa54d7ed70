// RENAMENX. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class RenameNxCommandTests
{
    [Fact]
    public void Leaves_a_key_that_has_the_name()
    {
        using InProcessServer server = new(recordEffects: true);
        Assert.Equal("-ERR no such key\r\n", server.Call("RENAMENX", "a", "b"));
        server.Call("SET", "a", "1");
        server.Call("SET", "b", "2");
        server.Effects.Take();
        Assert.Equal(":0\r\n", server.Call("RENAMENX", "a", "b"));
        Assert.Equal(":0\r\n", server.Call("RENAMENX", "a", "a"));
        Assert.Empty(server.Effects.Take());
        Assert.Equal(":1\r\n", server.Call("RENAMENX", "a", "c"));
        Assert.Equal(["RENAMENX a c"], server.Effects.Take());
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "c"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "a"));
    }

    [Fact]
    public void An_expired_key_does_not_have_the_name()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("SET", "b", "2");
        server.Call("PEXPIRE", "b", "1");
        server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        Assert.Equal(":1\r\n", server.Call("RENAMENX", "a", "b"));
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "b"));
        Assert.Equal(":-1\r\n", server.Call("TTL", "b"));
    }
}
