// The sample with queues whose items become visible later. Each test has its own server.
using Garnet.DelayedQueue;
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Modules;

public sealed class DelayedQueueTests
{
    private static InProcessServer NewServer() => new(recordEffects: true, extensions: ModuleServer.With(typeof(DelayedQueueModule)));

    [Fact]
    public void Items_are_taken_when_they_are_due_in_that_order()
    {
        using InProcessServer server = NewServer();
        Assert.Equal(":1\r\n", server.Call("DELAY.ADD", "q", "2000", "late"));
        Assert.Equal(":2\r\n", server.Call("DELAY.ADD", "q", "1000", "early"));
        Assert.Equal(":3\r\n", server.Call("DELAY.ADD", "q", "1000", "early"));
        Assert.All(server.Effects.Take(), static effect => Assert.StartsWith("ZADD q ", effect, StringComparison.Ordinal));
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal("$5\r\nearly\r\n", server.Call("DELAY.TAKE", "q", "0"));
        Assert.Equal("$5\r\nearly\r\n", server.Call("DELAY.TAKE", "q", "0"));
        Assert.All(server.Effects.Take(), static effect => Assert.StartsWith("ZREM q ", effect, StringComparison.Ordinal));
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal("$4\r\nlate\r\n", server.Call("DELAY.TAKE", "q", "0"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "q"));
    }

    [Fact]
    public void A_client_waits_until_an_item_is_due()
    {
        using InProcessServer server = NewServer();
        InProcessClient[] waiters = [server.Connect(), server.Connect()];
        server.Call("DELAY.ADD", "q", "1000", "first");
        foreach (InProcessClient waiter in waiters)
            Assert.Equal("", waiter.Call("DELAY.TAKE", "q", "0"));
        server.Clock.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal("$5\r\nfirst\r\n", Later.Receive(waiters[0]));
        server.Call("DELAY.ADD", "q", "0", "second");
        Assert.Equal("$6\r\nsecond\r\n", Later.Receive(waiters[1]));
    }

    // Later than any timer, or never.
    [Theory]
    [InlineData("1e12")]
    [InlineData("1e300")]
    [InlineData("inf")]
    [InlineData("-inf")]
    public void Clients_may_wait_for_items_with_any_score(string score)
    {
        using InProcessServer server = NewServer();
        Assert.Equal(":1\r\n", server.Call("ZADD", "q", score, new string('x', 40)));
        InProcessClient waiter = server.Connect();
        string reply = waiter.Call("DELAY.TAKE", "q", "0");
        Assert.Equal(score == "-inf" || score == "1e12" ? "$8\r\nxxxxxxxx\r\n" : "", reply);
        server.Clock.Advance(TimeSpan.FromMinutes(61));
        Eventually.True(() => server.Server.Modules.All[0].Worker.IsIdle);
        Assert.Contains("exceptions=0,", server.Call("INFO", "modules"), StringComparison.Ordinal);
    }

    [Fact]
    public void An_item_may_be_due_later_than_a_timer()
    {
        using InProcessServer server = NewServer();
        Assert.Equal(":1\r\n", server.Call("DELAY.ADD", "q", "31536000000", "in a year"));
        Assert.Equal("", server.Connect().Call("DELAY.TAKE", "q", "0"));
        Assert.Equal(":1\r\n", server.Call("DELAY.ADD", "other", "5400000", "x"));
        InProcessClient waiter = server.Connect();
        Assert.Equal("", waiter.Call("DELAY.TAKE", "other", "0"));
        for (int step = 0; step < 2; step++)
        {
            server.Clock.Advance(TimeSpan.FromMinutes(61));
            Eventually.True(() => server.Server.Modules.All[0].Worker.IsIdle);
        }

        Assert.Equal("$1\r\nx\r\n", Later.Receive(waiter));
        Assert.Contains("exceptions=0,", server.Call("INFO", "modules"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_wait_has_an_end()
    {
        using InProcessServer server = NewServer();
        server.Call("DELAY.ADD", "q", "5000", "x");
        InProcessClient waiter = server.Connect();
        Assert.Equal("", waiter.Call("DELAY.TAKE", "q", "1000"));
        server.Clock.Advance(TimeSpan.FromSeconds(1.5));
        Assert.Equal("*-1\r\n", Later.Receive(waiter));
        Assert.Equal(":1\r\n", server.Call("ZCARD", "q"));
    }

    [Theory]
    [InlineData("DELAY.ADD", "q", "-1", "x")]
    [InlineData("DELAY.ADD", "q", "9223372036854775807", "x")]
    [InlineData("DELAY.ADD", "q", "x", "x")]
    [InlineData("DELAY.TAKE", "q", "-1")]
    [InlineData("DELAY.TAKE", "q", "9223372036854775807")]
    [InlineData("DELAY.TAKE", "s", "0")]
    public void Wrong_arguments_are_errors(params string[] command)
    {
        using InProcessServer server = NewServer();
        server.Call("SET", "s", "x");
        Assert.StartsWith("-", server.Call(command), StringComparison.Ordinal);
        Assert.Equal(":1\r\n", server.Call("DBSIZE"));
    }

    // Members that did not come from the module: shorter than its identifiers, and with any score.
    [Fact]
    public void Any_sorted_set_is_a_queue()
    {
        using InProcessServer server = NewServer();
        server.Call("ZADD", "q", "-inf", "a", "5", "b", "inf", "c");
        Assert.Equal("$0\r\n\r\n", server.Call("DELAY.TAKE", "q", "0"));
        Assert.Equal(":1\r\n", server.Call("DELAY.WAKE", "q"));
        Assert.Equal("$0\r\n\r\n", server.Call("DELAY.TAKE", "q", "0"));
        InProcessClient waiter = server.Connect();
        Assert.Equal("", waiter.Call("DELAY.TAKE", "q", "0"));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
    }
}
