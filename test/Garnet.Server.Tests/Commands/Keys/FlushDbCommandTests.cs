// FLUSHDB. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class FlushDbCommandTests
{
    [Fact]
    public void Empties_only_its_database()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("SELECT", "1");
        server.Call("SET", "a", "1");
        Assert.Equal("+OK\r\n", server.Call("FLUSHDB"));
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
        server.Call("SELECT", "0");
        Assert.Equal(":1\r\n", server.Call("EXISTS", "a"));
    }

    [Theory]
    [InlineData("async", "+OK\r\n")]
    [InlineData("SYNC", "+OK\r\n")]
    [InlineData("now", "-ERR syntax error\r\n")]
    [InlineData("SYNC ASYNC", "-ERR syntax error\r\n")]
    public void Takes_one_mode(string mode, string reply)
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(reply, server.Call(["FLUSHDB", .. mode.Split(' ')]));
        Assert.Equal(reply[0] == '+' ? ":0\r\n" : ":1\r\n", server.Call("DBSIZE"));
    }

    [Fact]
    public void Is_propagated_once_even_if_the_database_was_empty()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("FLUSHDB", "ASYNC");
        Assert.Equal(["FLUSHDB ASYNC"], server.Effects.Take());
        server.Call("SET", "a", "1");
        server.Effects.Take();
        server.Call("FLUSHDB");
        Assert.Equal(["FLUSHDB"], server.Effects.Take());
    }
}
