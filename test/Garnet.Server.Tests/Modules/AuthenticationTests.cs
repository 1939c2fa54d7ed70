// Modules that decide about logins, before passwords do.
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Modules;

public sealed class AuthenticationTests : IDisposable
{
    private const string WrongPassword = "-WRONGPASS invalid username-password pair or user is disabled.\r\n";

    private readonly InProcessServer _server = new(
        static options => options.Password = "secret",
        extensions: ModuleServer.With(typeof(Logins))
    );

    private readonly InProcessClient _admin;

    public AuthenticationTests()
    {
        _admin = _server.Connect();
        Assert.Equal("+OK\r\n", _admin.Call("AUTH", "secret"));
        foreach (string user in (string[])["ann", "bob"])
            Assert.Equal("+OK\r\n", _admin.Call("ACL", "SETUSER", user, "on", ">password", "~*", "+@all"));
    }

    public void Dispose() => _server.Dispose();

    private string UserOf(InProcessClient client) => client.Call("ACL", "WHOAMI");

    [Fact]
    public void A_hook_lets_a_client_in_as_the_user_that_it_names()
    {
        Assert.Equal("+OK\r\n", _server.Call("AUTH", "ann", "token"));
        Assert.Equal("$3\r\nann\r\n", UserOf(_server.Client));
        InProcessClient other = _server.Connect();
        Assert.StartsWith("%7\r\n", other.Call("HELLO", "3", "AUTH", "unknown", "as-bob", "SETNAME", "me"), StringComparison.Ordinal);
        Assert.Equal("$3\r\nbob\r\n", UserOf(other));
        Assert.Equal("$2\r\nme\r\n", other.Call("CLIENT", "GETNAME"));
    }

    [Fact]
    public void A_login_that_hooks_pass_on_depends_on_the_password()
    {
        Assert.Equal("+OK\r\n", _server.Call("AUTH", "bob", "password"));
        Assert.Equal(WrongPassword, _server.Call("AUTH", "bob", "wrong"));
        Assert.Equal("$3\r\nbob\r\n", UserOf(_server.Client));
        Assert.Equal("-ERR the first hook\r\n", _server.Call("AUTH", "bob", "first"));
    }

    [Fact]
    public void A_denied_login_has_the_hooks_error_and_is_noted()
    {
        Assert.StartsWith("-LOCKED bob at ", _server.Call("AUTH", "bob", "deny"), StringComparison.Ordinal);
        Assert.Equal(WrongPassword, _server.Call("AUTH", "bob", "usual"));
        Assert.Equal(WrongPassword, _server.Call("AUTH", "bob", "as-nobody"));
        _admin.Call("ACL", "SETUSER", "bob", "off");
        Assert.Equal(WrongPassword, _server.Call("AUTH", "ann", "as-bob"));
        Assert.StartsWith("-NOAUTH", _server.Call("GET", "k"), StringComparison.Ordinal);
        Assert.Contains("acl_access_denied_auth:4\r\n", _admin.Call("INFO", "stats"), StringComparison.Ordinal);
        Assert.Contains("$3\r\nbob\r\n", _admin.Call("ACL", "LOG"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_hook_that_fails_lets_nobody_in()
    {
        Assert.Equal("-ERR the module 'logins' failed to decide about the login\r\n", _server.Call("AUTH", "bob", "throw"));
        Assert.Contains("exceptions=1,", _admin.Call("INFO", "modules"), StringComparison.Ordinal);
        Assert.StartsWith("-NOAUTH", _server.Call("GET", "k"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("bob", "+OK\r\n")]
    [InlineData("nobody", WrongPassword)]
    [InlineData("pass", WrongPassword)]
    [InlineData("throw", "-ERR the module 'logins' failed to decide about the login\r\n")]
    public void A_client_waits_for_a_hook_that_answers_later(string decision, string reply)
    {
        InProcessClient client = _server.Connect();
        client.Send([.. InProcessClient.Request("AUTH", "ann", "later"), .. InProcessClient.Request("PING")]);
        Assert.Equal("", client.Receive());
        Assert.Contains("waiting=1,", _admin.Call("INFO", "modules"), StringComparison.Ordinal);
        Assert.Equal(":0\r\n", _admin.Call("CLIENT", "UNBLOCK", $"{client.Session.Id}"));
        Assert.Equal(":1\r\n", _admin.Call("LOGIN.DECIDE", "ann", decision));
        string replies = "";
        Eventually.True(() => (replies += client.Receive()).Split("\r\n").Length == 3);
        Assert.Equal(reply + (decision == "bob" ? "+PONG\r\n" : "-NOAUTH Authentication required.\r\n"), replies);
        Assert.Contains("waiting=0,", _admin.Call("INFO", "modules"), StringComparison.Ordinal);
    }

    [Fact]
    public void HELLO_continues_where_it_waited()
    {
        InProcessClient client = _server.Connect();
        Assert.Equal("", client.Call("HELLO", "3", "SETNAME", "me", "AUTH", "ann", "later"));
        Assert.Equal(":1\r\n", _admin.Call("LOGIN.DECIDE", "ann", "bob"));
        Assert.StartsWith("%7\r\n", Later.ReceiveUntilReady(client), StringComparison.Ordinal);
        Assert.Equal("$2\r\nme\r\n", client.Call("CLIENT", "GETNAME"));
        Assert.Equal("$3\r\nbob\r\n", UserOf(client));
    }

    [Fact]
    public void A_hook_is_told_that_the_client_is_gone()
    {
        InProcessClient client = _server.Connect();
        client.Call("AUTH", "ann", "later");
        Assert.Equal(":1\r\n", _admin.Call("LOGIN.COUNT"));
        client.Dispose();
        Eventually.True(() => _admin.Call("LOGIN.COUNT") == ":0\r\n" && _server.Server.Modules.All[0].Waiting == 0);
    }

    [Fact]
    public void Nothing_waits_in_a_transaction()
    {
        _admin.Call("MULTI");
        _admin.Call("AUTH", "ann", "later");
        _admin.Call("AUTH", "ann", "token");
        Assert.StartsWith("*2\r\n-ERR a module takes its time to decide", _admin.Call("EXEC"), StringComparison.Ordinal);
        Assert.Equal("$3\r\nann\r\n", UserOf(_admin));
        Eventually.True(() => _admin.Call("LOGIN.COUNT") == ":0\r\n");
    }
}
