// PING, ECHO, QUIT and RESET.
using Xunit;

namespace Garnet.Server.Tests.Commands.Connection;

public sealed class ConnectionCommandsTests
{
    [Fact]
    public void PING_and_ECHO_answer()
    {
        using InProcessServer server = new();
        Assert.Equal("+PONG\r\n", server.Call("PING"));
        Assert.Equal("$2\r\nhi\r\n", server.Call("PING", "hi"));
        Assert.Equal("-ERR wrong number of arguments for 'ping' command\r\n", server.Call("PING", "a", "b"));
        Assert.Equal("$3\r\n\0\r\n\r\n", server.Call("ECHO", "\0\r\n"));
        Assert.Equal("-ERR wrong number of arguments for 'echo' command\r\n", server.Call("ECHO"));
    }

    [Fact]
    public void QUIT_answers_and_ends_the_connection_before_what_follows()
    {
        using InProcessServer server = new();
        InProcessClient leaving = server.Connect();
        leaving.Send([.. InProcessClient.Request("QUIT"), .. InProcessClient.Request("PING")]);
        Assert.Equal("+OK\r\n", leaving.Receive());
        Assert.True(leaving.IsClosed);
        Assert.Equal(1, server.Server.Clients.Count);
    }

    [Fact]
    public void RESET_restores_the_initial_state()
    {
        using InProcessServer server = new(options => options.Password = "secret");
        server.Call("HELLO", "3", "AUTH", "default", "secret", "SETNAME", "me");
        server.Call("CLIENT", "SETINFO", "LIB-NAME", "lib");
        server.Call("CLIENT", "NO-EVICT", "ON");
        server.Client.Session.Store.Database = 3;
        server.Call("MULTI");
        server.Call("CLIENT", "REPLY", "OFF");
        Assert.Equal("+RESET\r\n", server.Call("RESET"));
        Assert.Equal("-EXECABORT Transaction discarded because of: NOAUTH Authentication required.\r\n", server.Call("EXEC"));
        Assert.Equal("+OK\r\n", server.Call("AUTH", "secret"));
        Assert.Equal("-ERR EXEC without MULTI\r\n", server.Call("EXEC"));
        Assert.Equal("$-1\r\n", server.Call("CLIENT", "GETNAME"));
        Assert.Contains(" flags=N capa= db=0 ", server.Call("CLIENT", "INFO"));
        Assert.Contains(" resp=2 lib-name=lib ", server.Call("CLIENT", "INFO"));
    }
}
