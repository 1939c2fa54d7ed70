// PERSIST. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class PersistCommandTests
{
    [Fact]
    public void Removes_the_expiry_and_says_whether_there_was_one()
    {
        using InProcessServer server = new(recordEffects: true);
        Assert.Equal(":0\r\n", server.Call("PERSIST", "a"));
        server.Call("SET", "a", "1");
        Assert.Equal(":0\r\n", server.Call("PERSIST", "a"));
        server.Call("EXPIRE", "a", "10");
        server.Effects.Take();
        Assert.Equal(":1\r\n", server.Call("PERSIST", "a"));
        Assert.Equal(":-1\r\n", server.Call("TTL", "a"));
        Assert.Equal(["PERSIST a"], server.Effects.Take());
    }
}
