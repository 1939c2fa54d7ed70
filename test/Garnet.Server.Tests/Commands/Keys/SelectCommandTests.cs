// SELECT. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class SelectCommandTests
{
    [Fact]
    public void Databases_hold_different_keys()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "0");
        Assert.Equal("+OK\r\n", server.Call("SELECT", "15"));
        Assert.Equal("$-1\r\n", server.Call("GET", "a"));
        server.Call("SET", "a", "15");
        server.Call("SELECT", "0");
        Assert.Equal("$1\r\n0\r\n", server.Call("GET", "a"));
        Assert.Equal("$-1\r\n", server.Connect().Call("GET", "b"));
    }

    [Theory]
    [InlineData("16", "-ERR DB index is out of range\r\n")]
    [InlineData("-1", "-ERR DB index is out of range\r\n")]
    [InlineData("2147483648", "-ERR value is out of range, value must between -2147483648 and 2147483647\r\n")]
    [InlineData("abc", "-ERR value is not an integer or out of range\r\n")]
    public void Rejects_invalid_databases(string index, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call("SELECT", index));
    }

    [Fact]
    public void Commands_of_one_pipeline_use_the_database_selected_before_them()
    {
        using InProcessServer server = new();
        server.Client.Send([
            .. InProcessClient.Request("SET", "a", "0"),
            .. InProcessClient.Request("SELECT", "1"),
            .. InProcessClient.Request("GET", "a"),
            .. InProcessClient.Request("SELECT", "0"),
            .. InProcessClient.Request("GET", "a"),
        ]);
        Assert.Equal("+OK\r\n+OK\r\n$-1\r\n+OK\r\n$1\r\n0\r\n", server.Client.Receive());
    }
}
