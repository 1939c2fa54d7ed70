// DBSIZE. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class DbSizeCommandTests
{
    [Fact]
    public void Counts_the_keys_of_the_database()
    {
        using InProcessServer server = new();
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
        for (int i = 0; i < 1000; i++)
            server.Call("SET", $"key {i % 500}", "1");
        Assert.Equal(":500\r\n", server.Call("DBSIZE"));
        server.Call("SELECT", "1");
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
    }
}
