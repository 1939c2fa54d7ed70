// WAIT. Advancing the clock, or other clients, produce the replies.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class WaitCommandTests
{
    [Theory]
    [InlineData("0", ":0\r\n")]
    [InlineData("-5", ":0\r\n")]
    [InlineData("2147483648", ":0\r\n")]
    [InlineData("4294967296", ":0\r\n")]
    public void A_wait_for_nothing_ends_at_once(string replicas, string reply)
    {
        using InProcessServer server = new();
        Assert.Equal(reply, server.Call("WAIT", replicas, "0"));
    }

    [Fact]
    public void The_timeout_ends_the_wait()
    {
        using InProcessServer server = new();
        Assert.Equal("", server.Call("WAIT", "1", "100"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(99));
        Assert.Equal("", server.Client.Receive());
        server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(":0\r\n", Later.ReceiveUntilReady(server.Client));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
    }

    [Fact]
    public void Requests_pipelined_after_it_wait_and_other_clients_do_not()
    {
        using InProcessServer server = new();
        server.Client.Send([.. InProcessClient.Request("WAIT", "1", "100"), .. InProcessClient.Request("SET", "a", "1")]);
        Assert.Equal(":0\r\n", server.Connect().Call("EXISTS", "a"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(100));
        string replies = Later.Receive(server.Client);
        if (replies == ":0\r\n")
            replies += Later.Receive(server.Client);
        Assert.Equal(":0\r\n+OK\r\n", replies);
    }

    [Theory]
    [InlineData("TIMEOUT", ":0\r\n")]
    [InlineData("ERROR", "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n")]
    public void Another_client_can_end_it(string how, string reply)
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        Assert.Equal("", server.Call("WAIT", "1", "0"));
        Assert.Equal(":1\r\n", other.Call("CLIENT", "UNBLOCK", $"{server.Client.Session.Id}", how));
        Assert.Equal(reply, Later.Receive(server.Client));
        Assert.Equal(":0\r\n", other.Call("CLIENT", "UNBLOCK", $"{server.Client.Session.Id}", how));
    }

    [Fact]
    public void A_client_that_disconnects_while_waiting_is_released()
    {
        using InProcessServer server = new();
        InProcessClient client = new(server.Server, 2);
        client.Call("WAIT", "1", "0");
        client.Dispose();
        Assert.True(client.IsClosed);
    }

    [Fact]
    public void Inside_a_transaction_it_does_not_wait()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        server.Call("WAIT", "1", "0");
        server.Call("WAITAOF", "0", "1", "0");
        Assert.Equal("*2\r\n:0\r\n*2\r\n:0\r\n:0\r\n", server.Call("EXEC"));
    }

    [Theory]
    [InlineData("WAIT x 0", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("WAIT 1 x", "-ERR timeout is not an integer or out of range\r\n")]
    [InlineData("WAIT 1 -1", "-ERR timeout is negative\r\n")]
    [InlineData("WAIT 1 9223372036854775807", "-ERR timeout is out of range\r\n")]
    public void Wrong_arguments_are_refused(string command, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call(command.Split(' ')));
    }
}
