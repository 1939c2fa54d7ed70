// The options about what clients are told: client-default-resp and extended-redis-compatibility. Each test has its own server.
using Xunit;

namespace Garnet.Server.Tests.Configuration;

public sealed class ClientOptionsTests
{
    [Fact]
    public void A_client_begins_with_the_default_protocol_and_comes_back_to_it()
    {
        using var server = new InProcessServer(static options => options.ClientDefaultResp = 3);
        Assert.Equal("_\r\n", server.Call("GET", "none"));
        server.Call("HELLO", "2");
        Assert.Equal("$-1\r\n", server.Call("GET", "none"));
        Assert.Equal("+RESET\r\n", server.Call("RESET"));
        Assert.Equal("_\r\n", server.Call("GET", "none"));
        Assert.Contains("resp=3", server.Call("CLIENT", "INFO"), StringComparison.Ordinal);
        using var usual = new InProcessServer();
        Assert.Equal("$-1\r\n", usual.Call("GET", "none"));
    }

    [Fact]
    public void The_server_is_called_Redis_while_that_is_wanted()
    {
        using var server = new InProcessServer();
        Assert.Contains("$6\r\ngarnet\r\n", server.Call("HELLO"), StringComparison.Ordinal);
        Assert.Contains("Garnet ver. ", server.Call("LOLWUT"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "extended-redis-compatibility", "yes"));
        Assert.Contains("$5\r\nredis\r\n", server.Call("HELLO"), StringComparison.Ordinal);
        Assert.Contains("Redis ver. 7.2.4\n", server.Call("LOLWUT"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "extended-redis-compatibility", "no"));
        Assert.Contains("$6\r\ngarnet\r\n", server.Call("HELLO"), StringComparison.Ordinal);
    }
}
