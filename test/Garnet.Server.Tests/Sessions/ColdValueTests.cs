// "The value is not here yet" as an answer of admission: commands wait for values outside of memory, whole and in their order.
using Garnet.Server.Tests.Persistence;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class ColdValueTests : IDisposable
{
    private readonly InProcessServer _server = new();
    private readonly ColdValues _cold;

    public ColdValueTests()
    {
        _cold = new ColdValues(_server);
        _server.Call("MSET", "a", "1", "b", "2", "c", "3");
    }

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("*3\r\n$1\r\n1\r\n$1\r\n2\r\n$1\r\n3\r\n", "a,c", "MGET", "a", "b", "c")]
    [InlineData("$1\r\n1\r\n", "a", "GET", "a")]
    [InlineData(":4\r\n", "c", "INCR", "c")]
    [InlineData("+OK\r\n", "a", "RENAME", "a", "d")]
    public void A_command_waits_for_the_values_of_its_keys(string reply, string wanted, params string[] request)
    {
        _cold.Evict("a", "c");
        Send(request);
        Assert.Equal(wanted, string.Join(',', _cold.Wanted));
        Assert.Equal("", _server.Client.Receive());
        _cold.Arrive();
        Assert.Equal(reply, LoggedServer.Await(_server.Client));
    }

    [Fact]
    public void A_value_in_memory_is_not_waited_for()
    {
        _cold.Evict("a");
        Assert.Equal("$1\r\n2\r\n", _server.Call("GET", "b"));
        Assert.Empty(_cold.Wanted);
    }

    [Fact]
    public void Requests_after_the_one_that_waits_keep_their_order_and_other_clients_continue()
    {
        _cold.Evict("a");
        Send("GET", "a");
        Send("GET", "b");
        Assert.Equal("", _server.Client.Receive());
        Assert.Equal("+OK\r\n", _server.Connect().Call("SET", "b", "new"));
        _cold.Arrive();
        string replies = LoggedServer.Await(_server.Client);
        LoggedServer.Await(() => (replies += _server.Client.Receive()).Length == 16);
        Assert.Equal("$1\r\n1\r\n$3\r\nnew\r\n", replies);
    }

    [Fact]
    public void A_value_that_was_evicted_again_is_fetched_again()
    {
        _cold.Evict("a", "c");
        Send("MGET", "a", "c");
        _cold.Arrive();
        Assert.Equal("*2\r\n$1\r\n1\r\n$1\r\n3\r\n", LoggedServer.Await(_server.Client));
        _cold.Evict("a");
        Send("MGET", "a", "c");
        Assert.Equal(["a"], _cold.Wanted);
        _cold.Arrive();
        Assert.Equal("*2\r\n$1\r\n1\r\n$1\r\n3\r\n", LoggedServer.Await(_server.Client));
    }

    [Fact]
    public void A_transaction_waits_at_EXEC_for_all_its_commands_and_runs_as_a_whole()
    {
        Assert.Equal("+OK\r\n", _server.Call("MULTI"));
        _cold.Evict("a", "c");
        Assert.Equal("+QUEUED\r\n", _server.Call("INCR", "a"));
        Assert.Equal("+QUEUED\r\n", _server.Call("MGET", "a", "b", "c"));
        Send("EXEC");
        Assert.Equal(["a", "c"], _cold.Wanted);
        Assert.Equal(":3\r\n", _server.Connect().Call("INCR", "b"));
        _cold.Arrive();
        Assert.Equal("*2\r\n:2\r\n*3\r\n$1\r\n2\r\n$1\r\n3\r\n$1\r\n3\r\n", LoggedServer.Await(_server.Client));
    }

    [Fact]
    public void A_blocking_command_waits_for_the_value_first_and_blocks_when_there_is_none()
    {
        _server.Call("RPUSH", "l", "x");
        _server.Call("RPUSH", "target", "y");
        _cold.Evict("l", "target");
        Send("BLMOVE", "l", "target", "LEFT", "RIGHT", "0");
        Assert.Equal(["l", "target"], _cold.Wanted);
        _cold.Arrive();
        Assert.Equal("$1\r\nx\r\n", LoggedServer.Await(_server.Client));
        Send("BLPOP", "l", "0");
        Assert.Equal("", _server.Client.Receive());
        Assert.Equal(":1\r\n", _server.Connect().Call("RPUSH", "l", "z"));
        Assert.Equal("*2\r\n$1\r\nl\r\n$1\r\nz\r\n", LoggedServer.Await(_server.Client));
        Assert.Equal("*2\r\n$1\r\ny\r\n$1\r\nx\r\n", _server.Call("LRANGE", "target", "0", "-1"));
    }

    [Fact]
    public void A_command_whose_keys_are_not_known_waits_for_everything()
    {
        _server.Call("RPUSH", "l", "a", "c");
        _cold.Evict("a", "c");
        Send("SORT", "l", "BY", "nosort", "GET", "*");
        Assert.Equal(["a", "c"], _cold.Wanted);
        _cold.Arrive();
        Assert.Equal("*2\r\n$1\r\n1\r\n$1\r\n3\r\n", LoggedServer.Await(_server.Client));
    }

    private void Send(params string[] request) => _server.Client.Send(InProcessClient.Request(request));
}
