// EXISTS. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class ExistsCommandTests
{
    [Fact]
    public void Counts_keys_as_often_as_they_are_named()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(":1\r\n", server.Call("EXISTS", "a"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "b"));
        Assert.Equal(":2\r\n", server.Call("EXISTS", "a", "b", "a"));
    }

    [Fact]
    public void An_expired_key_does_not_exist()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("PEXPIRE", "a", "10");
        server.Clock.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(":1\r\n", server.Call("EXISTS", "a"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "a"));
    }
}
