// PTTL. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class PttlCommandTests
{
    [Fact]
    public void Counts_down_in_milliseconds()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(":-1\r\n", server.Call("PTTL", "a"));
        server.Call("PEXPIRE", "a", "30");
        server.Clock.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(":20\r\n", server.Call("PTTL", "a"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(20));
        Assert.Equal(":0\r\n", server.Call("PTTL", "a"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(":-2\r\n", server.Call("PTTL", "a"));
    }
}
