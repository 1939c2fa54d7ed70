// MOVE. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class MoveCommandTests
{
    [Fact]
    public void Moves_value_and_expiry_to_another_database()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("SET", "a", "1");
        server.Call("PEXPIRE", "a", "1000");
        server.Effects.Take();
        Assert.Equal(":1\r\n", server.Call("MOVE", "a", "1"));
        Assert.Equal(["MOVE a 1"], server.Effects.Take());
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
        server.Call("SELECT", "1");
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
        Assert.Equal(":1000\r\n", server.Call("PTTL", "a"));
    }

    [Fact]
    public void Moves_nothing_over_a_key_there()
    {
        using InProcessServer server = new();
        Assert.Equal(":0\r\n", server.Call("MOVE", "a", "1"));
        server.Call("SET", "a", "0");
        server.Call("COPY", "a", "a", "DB", "1");
        server.Call("SET", "a", "1");
        Assert.Equal(":0\r\n", server.Call("MOVE", "a", "1"));
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
    }

    [Theory]
    [InlineData("0", "-ERR source and destination objects are the same\r\n")]
    [InlineData("16", "-ERR DB index is out of range\r\n")]
    [InlineData("x", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("99999999999", "-ERR value is out of range, value must between -2147483648 and 2147483647\r\n")]
    public void Rejects_invalid_databases_and_the_same_one(string index, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call("MOVE", "a", index));
    }
}
