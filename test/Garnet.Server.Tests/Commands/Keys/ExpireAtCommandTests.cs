// EXPIREAT. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class ExpireAtCommandTests
{
    [Fact]
    public void Sets_the_expiry_in_seconds()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("SET", "a", "1");
        server.Effects.Take();
        Assert.Equal(":1\r\n", server.Call("EXPIREAT", "a", "4102444800"));
        Assert.Equal(":4102444800\r\n", server.Call("EXPIRETIME", "a"));
        Assert.Equal(["PEXPIREAT a 4102444800000"], server.Effects.Take());
    }

    [Fact]
    public void Now_is_the_past()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(":1\r\n", server.Call("EXPIREAT", "a", $"{server.NowMs / 1000}"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "a"));
    }
}
