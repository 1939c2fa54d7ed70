// AUTH: both forms, and what a server with a password rejects.
using Xunit;

namespace Garnet.Server.Tests.Commands.Connection;

public sealed class AuthCommandTests
{
    private const string WrongPassword = "-WRONGPASS invalid username-password pair or user is disabled.\r\n";

    [Fact]
    public void A_server_with_a_password_executes_nothing_before_authentication()
    {
        using InProcessServer server = new(options => options.Password = "secret");
        Assert.Equal("-NOAUTH Authentication required.\r\n", server.Call("PING"));
        Assert.Equal("-NOAUTH Authentication required.\r\n", server.Call("NOSUCH"));
        Assert.Equal(WrongPassword, server.Call("AUTH", "wrong"));
        Assert.Equal("-NOAUTH Authentication required.\r\n", server.Call("PING"));
        Assert.Equal("+OK\r\n", server.Call("AUTH", "secret"));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
    }

    [Fact]
    public void A_wrong_password_leaves_an_authenticated_client_authenticated()
    {
        using InProcessServer server = new(options => options.Password = "secret");
        Assert.Equal("+OK\r\n", server.Call("AUTH", "default", "secret"));
        Assert.Equal(WrongPassword, server.Call("AUTH", "secre"));
        Assert.Equal(WrongPassword, server.Call("AUTH", "other", "secret"));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
    }

    [Fact]
    public void Refused_logins_are_counted()
    {
        using InProcessServer server = new(options => options.Password = "secret");
        server.Call("AUTH", "wrong");
        server.Call("HELLO", "3", "AUTH", "default", "wrong");
        server.Call("AUTH", "secret");
        Assert.Contains("acl_access_denied_auth:2\r\n", server.Call("INFO", "stats"));
    }

    [Fact]
    public void Without_a_password_the_default_user_takes_any_but_the_short_form_is_refused()
    {
        using InProcessServer server = new();
        Assert.StartsWith("-ERR AUTH <password> called without any password configured for the default user.", server.Call("AUTH", "x"));
        Assert.Equal("+OK\r\n", server.Call("AUTH", "default", "anything"));
        Assert.Equal(WrongPassword, server.Call("AUTH", "other", "x"));
        Assert.Equal("-ERR syntax error\r\n", server.Call("AUTH", "a", "b", "c"));
    }

    [Fact]
    public void Commands_pipelined_after_AUTH_are_executed()
    {
        using InProcessServer server = new(options => options.Password = "secret");
        server.Client.Send([
            .. InProcessClient.Request("PING"),
            .. InProcessClient.Request("AUTH", "secret"),
            .. InProcessClient.Request("ECHO", "hi"),
        ]);
        Assert.Equal("-NOAUTH Authentication required.\r\n+OK\r\n$2\r\nhi\r\n", server.Client.Receive());
    }

    [Fact]
    public void A_password_set_later_does_not_affect_connected_clients()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "requirepass", "later"));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
        InProcessClient next = server.Connect();
        Assert.Equal("-NOAUTH Authentication required.\r\n", next.Call("PING"));
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "requirepass", ""));
        Assert.Equal("+PONG\r\n", next.Call("PING"));
    }
}
