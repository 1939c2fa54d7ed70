// "The value is not here yet" as an answer of admission: commands wait for values outside of memory, whole and in their order.
using Garnet.Server.Tests.Persistence;
using Garnet.Store.Tiering;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class ColdValueTests : IDisposable
{
    private readonly InProcessServer _server = new();
    private readonly MemoryTierDevice _disk;

    public ColdValueTests()
    {
        _disk = ColdServer.Open(_server.Store, _server.Server.Executor.Gates.ColdValues);
        _server.Call("MSET", "a", "1", "b", "2", "c", "3");
    }

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("*3\r\n$1\r\n1\r\n$1\r\n2\r\n$1\r\n3\r\n", 2, "MGET", "a", "b", "c")]
    [InlineData("$1\r\n1\r\n", 1, "GET", "a")]
    [InlineData(":4\r\n", 1, "INCR", "c")]
    [InlineData("+OK\r\n", 1, "RENAME", "a", "d")]
    public void A_command_waits_for_the_values_of_its_keys_together(string reply, int wanted, params string[] request)
    {
        MoveOut("a", "c");
        Send(request);
        Assert.Equal(wanted, _disk.Held);
        Assert.Equal("", _server.Client.Receive());
        Assert.Equal("+OK\r\n", _server.Connect().Call("SET", "other", "1"));
        Answer();
        Assert.Equal(reply, LoggedServer.Await(_server.Client));
    }

    [Fact]
    public void A_value_in_memory_is_not_waited_for()
    {
        MoveOut("a");
        Assert.Equal("$1\r\n2\r\n", _server.Call("GET", "b"));
        Assert.Equal(0, _disk.Held);
    }

    [Fact]
    public void A_value_that_was_moved_again_is_read_again()
    {
        MoveOut("a", "c");
        Send("MGET", "a", "c");
        Answer();
        Assert.Equal("*2\r\n$1\r\n1\r\n$1\r\n3\r\n", LoggedServer.Await(_server.Client));
        MoveOut("a");
        Send("MGET", "a", "c");
        Assert.Equal(1, _disk.Held);
        Answer();
        Assert.Equal("*2\r\n$1\r\n1\r\n$1\r\n3\r\n", LoggedServer.Await(_server.Client));
    }

    [Fact]
    public void A_transaction_waits_at_EXEC_for_all_its_commands_and_runs_as_a_whole()
    {
        Assert.Equal("+OK\r\n", _server.Call("MULTI"));
        MoveOut("a", "c");
        Assert.Equal("+QUEUED\r\n", _server.Call("INCR", "a"));
        Assert.Equal("+QUEUED\r\n", _server.Call("MGET", "a", "b", "c"));
        Send("EXEC");
        Assert.Equal(2, _disk.Held);
        Assert.Equal(":3\r\n", _server.Connect().Call("INCR", "b"));
        Answer();
        Assert.Equal("*2\r\n:2\r\n*3\r\n$1\r\n2\r\n$1\r\n3\r\n$1\r\n3\r\n", LoggedServer.Await(_server.Client));
    }

    [Fact]
    public void A_transaction_waits_for_values_in_the_databases_that_it_selects()
    {
        _server.Call("SELECT", "1");
        _server.Call("SET", "k", "5");
        _server.Call("SELECT", "0");
        using (var sweep = new ColdSweep(_server.Store))
            Assert.Equal(1, sweep.Move(1, ["k"u8.ToArray()]));
        _server.Call("MULTI");
        _server.Call("SELECT", "1");
        _server.Call("INCR", "k");
        Assert.Equal("*2\r\n+OK\r\n:6\r\n", _server.Call("EXEC"));
    }

    [Fact]
    public void A_blocking_command_waits_for_the_value_first_and_blocks_when_there_is_none()
    {
        _server.Call("RPUSH", "l", "x");
        MoveOut("a");
        Send("BLMOVE", "l", "a", "LEFT", "RIGHT", "0");
        Assert.Equal(1, _disk.Held);
        Answer();
        Assert.StartsWith("-WRONGTYPE", LoggedServer.Await(_server.Client), StringComparison.Ordinal);
        Assert.Equal("$1\r\nx\r\n", _server.Call("LPOP", "l"));
        Send("BLPOP", "l", "0");
        Assert.Equal("", _server.Client.Receive());
        Assert.Equal(":1\r\n", _server.Connect().Call("RPUSH", "l", "z"));
        Assert.Equal("*2\r\n$1\r\nl\r\n$1\r\nz\r\n", LoggedServer.Await(_server.Client));
    }

    // From then on reads are held back.
    private void MoveOut(params string[] keys)
    {
        using var sweep = new ColdSweep(_server.Store);
        Assert.Equal(keys.Length, sweep.Move(0, keys.Select(System.Text.Encoding.ASCII.GetBytes)));
        _disk.Holds = true;
    }

    private void Answer()
    {
        _disk.Holds = false;
        _disk.Answer();
    }

    private void Send(params string[] request) => _server.Client.Send(InProcessClient.Request(request));
}
