// SHUTDOWN asks the host to stop; what this version cannot do is refused.
using Xunit;

namespace Garnet.Server.Tests.Commands.Server;

public sealed class ShutdownCommandTests
{
    [Theory]
    [InlineData]
    [InlineData("NOSAVE")]
    [InlineData("nosave", "NOW", "FORCE", "SAFE")]
    public void It_asks_the_host_once_and_ends_the_connection_without_a_reply(params string[] options)
    {
        using InProcessServer server = new();
        int asked = 0;
        server.Server.ShutdownRequested += () => asked++;
        Assert.Equal("", server.Call(["SHUTDOWN", .. options]));
        Assert.Equal(1, asked);
        Assert.True(server.Client.IsClosed);
    }

    [Theory]
    [InlineData("-ERR syntax error", "SOON")]
    [InlineData("-ERR syntax error", "SAVE", "NOSAVE")]
    [InlineData("-ERR syntax error", "ABORT", "NOW")]
    [InlineData("-ERR No shutdown in progress.", "ABORT")]
    [InlineData("-ERR SHUTDOWN FAILOVER is only supported in cluster mode.", "FAILOVER")]
    public void What_cannot_be_done_is_refused(string error, params string[] options)
    {
        using InProcessServer server = new();
        server.Server.ShutdownRequested += () => Assert.Fail("The server must not stop.");
        Assert.Equal(error + "\r\n", server.Call(["SHUTDOWN", .. options]));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
    }
}
