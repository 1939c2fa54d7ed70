// SWAPDB. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class SwapDbCommandTests
{
    [Fact]
    public void Swaps_two_databases_for_all_clients()
    {
        using InProcessServer server = new(recordEffects: true);
        InProcessClient other = server.Connect();
        other.Call("SELECT", "1");
        server.Call("SET", "a", "0");
        other.Call("SET", "a", "1");
        server.Effects.Take();
        Assert.Equal("+OK\r\n", server.Call("SWAPDB", "0", "1"));
        Assert.Equal(["SWAPDB 0 1"], server.Effects.Take());
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
        Assert.Equal("$1\r\n0\r\n", other.Call("GET", "a"));
        Assert.Equal("+OK\r\n", server.Call("SWAPDB", "1", "1"));
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
    }

    [Theory]
    [InlineData("0", "1")]
    [InlineData("1", "1")]
    public void Counts_as_a_change_even_for_empty_databases(string first, string second)
    {
        using InProcessServer server = new();
        server.Call("SWAPDB", first, second);
        Assert.Contains("rdb_changes_since_last_save:1\r\n", server.Call("INFO", "persistence"));
    }

    [Theory]
    [InlineData("SWAPDB x 1", "-ERR invalid first DB index\r\n")]
    [InlineData("SWAPDB 99999999999 x", "-ERR invalid first DB index\r\n")]
    [InlineData("SWAPDB 1 x", "-ERR invalid second DB index\r\n")]
    [InlineData("SWAPDB 1 16", "-ERR DB index is out of range\r\n")]
    [InlineData("SWAPDB -1 1", "-ERR DB index is out of range\r\n")]
    public void Rejects_invalid_databases(string command, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call(command.Split(' ')));
    }
}
