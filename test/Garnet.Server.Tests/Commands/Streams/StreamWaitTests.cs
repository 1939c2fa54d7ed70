// Clients blocked on streams. Each test has its own server.
using System.Globalization;
using System.Text.RegularExpressions;
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Streams;

public sealed class StreamWaitTests : IDisposable
{
    private readonly InProcessServer _server = new();

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("XREAD BLOCK 0 STREAMS s 9-0")]
    [InlineData("XREADGROUP GROUP g c BLOCK 0 STREAMS s >")]
    public void A_spurious_wake_counts_two_lookups_and_deleted_entries_wake_no_client(string command)
    {
        _server.Call("XADD", "s", "1-1", "a", "1");
        _server.Call("XADD", "s", "2-1", "a", "1");
        _server.Call("XGROUP", "CREATE", "s", "g", "9-9");
        InProcessClient waiter = _server.Connect();
        waiter.Call(command.Split(' '));
        Assert.Equal(2, Hits());
        _server.Call("XDEL", "s", "1-1");
        _server.Call("XTRIM", "s", "MAXLEN", "0");
        Assert.Equal(2, Hits());
        _server.Call("XADD", "s", "3-1", "a", "1");
        Assert.Equal(4, Hits());
        Assert.Equal("", waiter.Receive());
    }

    [Fact]
    public void A_summary_of_many_pending_entries_shows_their_range_and_each_consumer()
    {
        const int Much = 10_000;
        for (int i = 1; i <= Much; i++)
            _server.Call("XADD", "s", $"{i}-1", "a", "1");
        _server.Call("XGROUP", "CREATE", "s", "g", "0");
        _server.Call("XREADGROUP", "GROUP", "g", "c", "COUNT", $"{Much - 1}", "STREAMS", "s", ">");
        _server.Call("XREADGROUP", "GROUP", "g", "d", "STREAMS", "s", ">");
        _server.Call("XGROUP", "CREATECONSUMER", "s", "g", "idle");
        _server.Call("XACK", "s", "g", "1-1");
        Assert.Equal(
            Array(Integer(Much - 1), Bulk("2-1"), Bulk($"{Much}-1"), Array(Bulks("c", $"{Much - 2}"), Bulks("d", "1"))),
            _server.Call("XPENDING", "s", "g")
        );
    }

    [Fact]
    public void The_range_of_pending_entries_is_that_of_the_group()
    {
        for (int i = 1; i <= 9; i++)
            _server.Call("XADD", "s", $"{i}-1", "a", "1");
        _server.Call("XGROUP", "CREATE", "s", "all", "0");
        _server.Call("XGROUP", "CREATE", "s", "some", "2-1");
        _server.Call("XREADGROUP", "GROUP", "all", "c", "STREAMS", "s", ">");
        _server.Call("XREADGROUP", "GROUP", "some", "b", "COUNT", "2", "STREAMS", "s", ">");
        _server.Call("XREADGROUP", "GROUP", "some", "a", "COUNT", "1", "STREAMS", "s", ">");
        Assert.Equal(
            Array(Integer(3), Bulk("3-1"), Bulk("5-1"), Array(Bulks("a", "1"), Bulks("b", "2"))),
            _server.Call("XPENDING", "s", "some")
        );
    }

    [Fact]
    public void All_waiting_clients_get_new_entries()
    {
        _server.Call("XADD", "s", "1-1", "a", "1");
        InProcessClient[] waiters = [_server.Connect(), _server.Connect(protocolVersion: 3)];
        foreach (InProcessClient waiter in waiters)
            Assert.Equal("", waiter.Call("XREAD", "BLOCK", "0", "STREAMS", "none", "s", "$", "$"));
        Assert.Equal(Integer(1), _server.Call("XDEL", "s", "1-1"));
        Assert.Equal("", waiters[0].Receive());
        _server.Call("XADD", "s", "2-1", "a", "2");
        string entries = Array(Entry("2-1", "a", "2"));
        Assert.Equal(Array(Array(Bulk("s"), entries)), Later.Receive(waiters[0]));
        Assert.Equal("%1\r\n" + Bulk("s") + entries, Later.Receive(waiters[1]));
    }

    [Fact]
    public void An_entry_is_delivered_to_one_consumer_of_a_group()
    {
        _server.Call("XGROUP", "CREATE", "s", "g", "$", "MKSTREAM");
        InProcessClient first = _server.Connect();
        InProcessClient second = _server.Connect();
        Assert.Equal("", first.Call("XREADGROUP", "GROUP", "g", "c1", "BLOCK", "0", "STREAMS", "s", ">"));
        Assert.Equal("", second.Call("XREADGROUP", "GROUP", "g", "c2", "BLOCK", "0", "STREAMS", "s", ">"));
        _server.Call("XADD", "s", "1-1", "a", "1");
        Assert.Equal(Array(Array(Bulk("s"), Array(Entry("1-1", "a", "1")))), Later.Receive(first));
        Assert.Equal("", second.Receive());
        _server.Call("XADD", "s", "2-1", "a", "2");
        Assert.Equal(Array(Array(Bulk("s"), Array(Entry("2-1", "a", "2")))), Later.Receive(second));
        Assert.Equal(
            Array(Integer(2), Bulk("1-1"), Bulk("2-1"), Array(Bulks("c1", "1"), Bulks("c2", "1"))),
            _server.Call("XPENDING", "s", "g")
        );
    }

    [Theory]
    [InlineData("XGROUP DESTROY s g", "-NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option\r\n")]
    [InlineData("DEL s", "-NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option\r\n")]
    [InlineData("SET s x", WrongType)]
    public void A_client_waiting_in_a_group_is_notified_of_its_removal(string command, string error)
    {
        _server.Call("XGROUP", "CREATE", "s", "g", "$", "MKSTREAM");
        InProcessClient waiter = _server.Connect();
        Assert.Equal("", waiter.Call("XREADGROUP", "GROUP", "g", "c", "BLOCK", "0", "STREAMS", "s", ">"));
        _server.Call(command.Split(' '));
        Assert.Equal(error, Later.Receive(waiter));
    }

    [Fact]
    public void Resetting_a_groups_ID_wakes_no_client()
    {
        _server.Call("XADD", "s", "1-1", "a", "1");
        _server.Call("XGROUP", "CREATE", "s", "g", "$");
        InProcessClient waiter = _server.Connect();
        Assert.Equal("", waiter.Call("XREADGROUP", "GROUP", "g", "c", "BLOCK", "100", "STREAMS", "s", ">"));
        Assert.Equal(Ok, _server.Call("XGROUP", "SETID", "s", "g", "0"));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal("*-1\r\n", Later.Receive(waiter));
    }

    // A lookup counts as an access. If earlier clients looked up the key again, a thousand clients would cause half a million lookups.
    [Theory]
    [InlineData("XREAD BLOCK 0 STREAMS s $")]
    [InlineData("XREADGROUP GROUP g c BLOCK 0 STREAMS s >")]
    public void A_new_waiting_client_causes_no_lookups_by_others(string command)
    {
        using InProcessServer counting = new(static options =>
            (options.MaxMemoryPolicy, options.LfuLogFactor) = (EvictionPolicy.AllKeysLfu, 0)
        );
        counting.Call("XADD", "s", "1-1", "a", "1");
        counting.Call("XGROUP", "CREATE", "s", "g", "$");
        long[] uses = new long[5];
        for (int i = 0; i < uses.Length; i++)
        {
            uses[i] = long.Parse(counting.Call("OBJECT", "FREQ", "s")[1..], CultureInfo.InvariantCulture);
            Assert.Equal("", counting.Connect().Call(command.Split(' ')));
        }

        Assert.Equal(uses[2] - uses[1], uses[4] - uses[3]);
    }

    [Fact]
    public void The_timeout_is_in_milliseconds()
    {
        InProcessClient waiter = _server.Connect();
        Assert.Equal("", waiter.Call("XREAD", "BLOCK", "100", "STREAMS", "s", "$"));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(99));
        Assert.Equal("", waiter.Receive());
        _server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal("*-1\r\n", Later.Receive(waiter));
    }

    [Fact]
    public void No_command_waits_in_a_transaction()
    {
        _server.Call("MULTI");
        _server.Call("XREAD", "BLOCK", "0", "STREAMS", "s", "$");
        Assert.Equal(Array("*-1\r\n"), _server.Call("EXEC"));
    }

    [Fact]
    public void The_same_key_twice_is_served_twice_from_what_is_left()
    {
        _server.Call("XADD", "s", "1-1", "a", "1");
        _server.Call("XADD", "s", "2-1", "a", "2");
        _server.Call("XGROUP", "CREATE", "s", "g", "0");
        Assert.Equal(
            Array(Array(Bulk("s"), Array(Entry("1-1", "a", "1"))), Array(Bulk("s"), Array(Entry("2-1", "a", "2")))),
            _server.Call("XREADGROUP", "GROUP", "g", "c", "COUNT", "1", "STREAMS", "s", "s", "s", ">", ">", ">")
        );
    }

    private static string Entry(string id, params string[] fields) => Array(Bulk(id), Bulks(fields));

    private int Hits() =>
        int.Parse(Regex.Match(_server.Call("INFO", "stats"), @"keyspace_hits:(\d+)").Groups[1].Value, CultureInfo.InvariantCulture);
}
