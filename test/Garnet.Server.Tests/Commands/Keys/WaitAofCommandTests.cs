// WAITAOF without an append-only log. Advancing the clock produces the replies.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class WaitAofCommandTests
{
    [Theory]
    [InlineData("WAITAOF 0 0 0", "*2\r\n:0\r\n:0\r\n")]
    [InlineData("WAITAOF 1 0 0", "-ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.\r\n")]
    [InlineData("WAITAOF 2 0 0", "-ERR value is out of range, value must between 0 and 1\r\n")]
    [InlineData("WAITAOF x 0 0", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("WAITAOF 0 -1 0", "-ERR value is out of range, must be positive\r\n")]
    [InlineData("WAITAOF 0 x 0", "-ERR value is out of range, must be positive\r\n")]
    [InlineData("WAITAOF 1 0 x", "-ERR timeout is not an integer or out of range\r\n")]
    public void Replies_at_once_where_there_is_nothing_to_wait_for(string command, string reply)
    {
        using InProcessServer server = new();
        Assert.Equal(reply, server.Call(command.Split(' ')));
    }

    [Fact]
    public void Replicas_that_are_not_there_are_waited_for_until_the_timeout()
    {
        using InProcessServer server = new();
        Assert.Equal("", server.Call("WAITAOF", "0", "1", "50"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal("*2\r\n:0\r\n:0\r\n", Later.Receive(server.Client));
    }
}
