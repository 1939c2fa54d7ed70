// Blocked clients that have left, and blocked clients of a server that becomes a replica. One thread.
using Garnet.Server.Tests.Commands;
using Garnet.Server.Tests.Modules;
using Xunit;

namespace Garnet.Server.Tests.Blocking;

public sealed class LeavingClientTests
{
    [Theory]
    [InlineData("BLPOP k 0", "RPUSH k a", "LLEN k", ":1\r\n")]
    [InlineData("BRPOP other k 0", "RPUSH k a", "LLEN k", ":1\r\n")]
    [InlineData("BLMOVE k to LEFT LEFT 0", "RPUSH k a", "LLEN k", ":1\r\n")]
    [InlineData("BRPOPLPUSH k to 0", "RPUSH k a", "LLEN k", ":1\r\n")]
    [InlineData("BLMPOP 0 1 k LEFT", "RPUSH k a", "LLEN k", ":1\r\n")]
    [InlineData("BZPOPMIN k 0", "ZADD k 1 a", "ZCARD k", ":1\r\n")]
    [InlineData("BZPOPMAX k 0", "ZADD k 1 a", "ZCARD k", ":1\r\n")]
    [InlineData("BZMPOP 0 1 k MIN", "ZADD k 1 a", "ZCARD k", ":1\r\n")]
    [InlineData("XREADGROUP GROUP g c BLOCK 0 STREAMS s >", "XADD s * a 1", "XPENDING s g", "*4\r\n:0\r\n$-1\r\n$-1\r\n*-1\r\n")]
    public void A_client_that_has_left_takes_nothing_even_before_its_end_is_read(string block, string push, string ask, string expected)
    {
        using InProcessServer server = new();
        server.Call("XGROUP", "CREATE", "s", "g", "$", "MKSTREAM");
        InProcessConnection connection = new();
        InProcessClient gone = server.Connect(connection: connection);
        InProcessClient waiting = server.Connect();
        Assert.Equal("", gone.Call(block.Split(' ')));
        connection.HasPeerLeft = true;
        server.Call(push.Split(' '));
        Assert.Equal(expected, server.Call(ask.Split(' ')));
        Eventually.True(() => gone.IsClosed);
        Assert.Equal("", gone.Receive());

        // The next one in the queue takes what is there.
        Assert.NotEqual("", waiting.Call([.. block.Split(' ').Select(word => word == "c" ? "d" : word)]));
    }

    [Fact]
    public void The_element_goes_to_the_next_client_in_the_queue()
    {
        using InProcessServer server = new();
        InProcessConnection connection = new();
        InProcessClient gone = server.Connect(connection: connection);
        InProcessClient next = server.Connect();
        gone.Call("BLPOP", "k", "0");
        next.Call("BLPOP", "k", "0");
        connection.HasPeerLeft = true;
        server.Call("RPUSH", "k", "a");
        string reply = "";
        Eventually.True(() => (reply += next.Receive()).Length > 0);
        Assert.Equal("*2\r\n$1\r\nk\r\n$1\r\na\r\n", reply);
    }

    [Theory]
    [InlineData("BLPOP k 0")]
    [InlineData("BZPOPMIN k 0")]
    [InlineData("XREAD BLOCK 0 STREAMS k $")]
    [InlineData("WAIT 1 0")]
    public void When_the_server_becomes_a_replica_blocked_clients_get_an_error_and_are_closed(string block)
    {
        using InProcessServer server = new();
        InProcessClient blocked = server.Connect();
        Assert.Equal("", blocked.Call(block.Split(' ')));
        server.Call("REPLICAOF", "127.0.0.1", "1");
        Eventually.True(() => blocked.IsClosed);
        Assert.Equal(
            "-UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)\r\n",
            blocked.Receive()
        );
        Assert.Equal(Replies.Null, server.Call("GET", "k"));
    }

    [Fact]
    public void A_command_that_a_pause_delays_stays_when_the_server_becomes_a_replica()
    {
        using InProcessServer server = new();
        InProcessClient paused = server.Connect();
        server.Call("CLIENT", "PAUSE", "100000", "WRITE");
        Assert.Equal("", paused.Call("SET", "a", "1"));
        server.Call("REPLICAOF", "127.0.0.1", "1");
        server.Call("CLIENT", "UNPAUSE");
        string reply = "";
        Eventually.True(() => (reply += paused.Receive()).Length > 0);
        Assert.Equal("-READONLY You can't write against a read only replica.\r\n", reply);
        Assert.False(paused.IsClosed);
    }
}
