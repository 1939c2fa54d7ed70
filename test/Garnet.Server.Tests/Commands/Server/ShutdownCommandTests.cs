// SHUTDOWN asks the host to stop; unsupported options are rejected.
using Xunit;

namespace Garnet.Server.Tests.Commands.Server;

public sealed class ShutdownCommandTests
{
    [Theory]
    [InlineData]
    [InlineData("NOSAVE")]
    [InlineData("nosave", "NOW", "FORCE", "SAFE")]
    public void The_host_is_asked_once_and_the_connection_closed_without_a_reply(params string[] options)
    {
        using InProcessServer server = new();
        int asked = 0;
        server.Server.Shutdown.Requested += () => asked++;
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
    public void Unsupported_options_are_rejected(string error, params string[] options)
    {
        using InProcessServer server = new();
        server.Server.Shutdown.Requested += () => Assert.Fail("The server must not stop.");
        Assert.Equal(error + "\r\n", server.Call(["SHUTDOWN", .. options]));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
    }
}
