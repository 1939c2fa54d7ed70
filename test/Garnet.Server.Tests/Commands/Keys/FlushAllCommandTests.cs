// FLUSHALL. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class FlushAllCommandTests
{
    [Fact]
    public void Empties_every_database()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("SET", "a", "1");
        server.Call("SELECT", "1");
        server.Call("SET", "a", "1");
        server.Effects.Take();
        Assert.Equal("+OK\r\n", server.Call("FLUSHALL"));
        Assert.Equal(["FLUSHALL"], server.Effects.Take());
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
        server.Call("SELECT", "0");
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
    }

    [Fact]
    public void Many_flushes_in_a_row_keep_working()
    {
        using InProcessServer server = new();
        for (int i = 0; i < 600; i++)
        {
            server.Call("SET", "a", $"{i}");
            Assert.Equal("+OK\r\n", server.Call("FLUSHALL"));
            Assert.Equal("$-1\r\n", server.Call("GET", "a"));
        }
    }

    [Fact]
    public void Refuses_other_words()
    {
        using InProcessServer server = new();
        Assert.Equal("-ERR syntax error\r\n", server.Call("FLUSHALL", "please"));
    }
}
