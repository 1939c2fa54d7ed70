// UNWATCH. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Transactions;

public sealed class UnwatchCommandTests
{
    [Fact]
    public void Forgets_a_touched_key()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("UNWATCH"));
        server.Call("WATCH", "a");
        server.Call("SET", "a", "1");
        Assert.Equal("+OK\r\n", server.Call("UNWATCH"));
        server.Call("MULTI");
        Assert.Equal("*0\r\n", server.Call("EXEC"));
    }
}
