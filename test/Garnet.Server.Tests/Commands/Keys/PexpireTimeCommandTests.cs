// PEXPIRETIME. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class PexpireTimeCommandTests
{
    [Fact]
    public void Replies_with_the_expiry_in_milliseconds()
    {
        using InProcessServer server = new();
        Assert.Equal(":-2\r\n", server.Call("PEXPIRETIME", "a"));
        server.Call("SET", "a", "1");
        Assert.Equal(":-1\r\n", server.Call("PEXPIRETIME", "a"));
        server.Call("PEXPIREAT", "a", "4102444800500");
        Assert.Equal(":4102444800500\r\n", server.Call("PEXPIRETIME", "a"));
    }
}
