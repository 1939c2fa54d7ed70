// DISCARD. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Transactions;

public sealed class DiscardCommandTests
{
    [Fact]
    public void Discards_the_queue_and_the_watched_keys()
    {
        using InProcessServer server = new();
        Assert.Equal("-ERR DISCARD without MULTI\r\n", server.Call("DISCARD"));
        server.Call("WATCH", "a");
        server.Call("MULTI");
        server.Call("SET", "b", "1");
        Assert.Equal("+OK\r\n", server.Call("DISCARD"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "b"));
        server.Connect().Call("SET", "a", "1");
        server.Call("MULTI");
        Assert.Equal("*0\r\n", server.Call("EXEC"));
    }
}
