// PEXPIREAT. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class PexpireAtCommandTests
{
    [Fact]
    public void Sets_the_expiry_in_milliseconds()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("SET", "a", "1");
        server.Effects.Take();
        Assert.Equal(":1\r\n", server.Call("PEXPIREAT", "a", "4102444800001"));
        Assert.Equal(":4102444800001\r\n", server.Call("PEXPIRETIME", "a"));
        Assert.Equal(["PEXPIREAT a 4102444800001"], server.Effects.Take());
    }

    [Fact]
    public void The_highest_number_is_a_valid_time()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(":1\r\n", server.Call("PEXPIREAT", "a", "9223372036854775807"));
        Assert.Equal(":9223372036854775807\r\n", server.Call("PEXPIRETIME", "a"));
    }
}
