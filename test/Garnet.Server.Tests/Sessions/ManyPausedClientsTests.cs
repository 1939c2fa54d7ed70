// CLIENT PAUSE and very many clients: one timer for all of them, and nothing is run for those that leave.
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class ManyPausedClientsTests
{
    private const int Count = 1000;

    [Theory]
    [InlineData("ALL")]
    [InlineData("WRITE")]
    public void One_timer_wakes_all_when_the_pause_is_over(string mode)
    {
        using InProcessServer server = new();
        int before = server.Clock.RunningTimers;
        InProcessClient[] clients = Pause(server, mode, pauseMs: 1000);
        Assert.Equal(before + 1, server.Clock.RunningTimers);
        server.Clock.Advance(TimeSpan.FromMilliseconds(999));
        Assert.Equal("", clients[^1].Receive());
        server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        AssertAllServed(server, clients);
        Assert.Equal(before, server.Clock.RunningTimers);
    }

    [Fact]
    public void UNPAUSE_wakes_all_and_leaves_no_timer()
    {
        using InProcessServer server = new();
        int before = server.Clock.RunningTimers;
        InProcessClient[] clients = Pause(server, "WRITE", pauseMs: 9_000_000_000);
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "UNPAUSE"));
        AssertAllServed(server, clients);
        Assert.Equal(before, server.Clock.RunningTimers);
    }

    [Fact]
    public void A_pause_that_is_extended_holds_all_until_its_new_end()
    {
        using InProcessServer server = new();
        InProcessClient[] clients = Pause(server, "WRITE", pauseMs: 1000);
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", "5000", "WRITE"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(4999));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "counter"));
        // A shorter one ends nothing earlier.
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", "1", "WRITE"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "counter"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        AssertAllServed(server, clients);
    }

    [Fact]
    public void Nothing_is_run_for_clients_that_leave_while_they_are_paused()
    {
        using InProcessServer server = new();
        InProcessClient[] clients = Pause(server, "WRITE", pauseMs: 9_000_000_000);
        for (int i = 0; i < Count; i += 2)
            clients[i].Dispose();
        Assert.Contains($"blocked_clients:{Count / 2}\r\n", server.Call("INFO", "clients"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "UNPAUSE"));
        for (int i = 1; i < Count; i += 2)
            Assert.StartsWith(":", Later.Receive(clients[i]), StringComparison.Ordinal);
        Assert.Equal(Replies.Bulk($"{Count / 2}"), server.Call("GET", "counter"));
    }

    [Theory]
    [InlineData("ALL", "GET", "k")]
    [InlineData("ALL", "SET", "k", "v")]
    [InlineData("WRITE", "SET", "k", "v")]
    public void What_is_to_be_queued_waits_and_is_queued_afterwards(string mode, params string[] command)
    {
        using InProcessServer server = new();
        InProcessClient stays = server.Connect(),
            leaves = server.Connect();
        Assert.Equal("+OK\r\n", stays.Call("MULTI"));
        Assert.Equal("+OK\r\n", leaves.Call("MULTI"));
        Assert.Equal("+QUEUED\r\n", leaves.Call("SET", "left", "v"));
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", "50000", mode));
        Assert.Equal("", stays.Call(command));
        leaves.Send([.. InProcessClient.Request(command), .. InProcessClient.Request("EXEC")]);
        Assert.Equal("", leaves.Receive());
        leaves.Dispose();
        // A pause of all commands, UNPAUSE among them, ends by its time alone.
        server.Clock.Advance(TimeSpan.FromMilliseconds(50_000));
        Assert.Equal("+QUEUED\r\n", Later.ReceiveUntilReady(stays));
        Assert.StartsWith("*1\r\n", stays.Call("EXEC"), StringComparison.Ordinal);
        Assert.Equal(":0\r\n", server.Call("EXISTS", "left"));
    }

    [Fact]
    public void Reads_are_queued_and_executed_while_writes_are_paused()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", "100000", "WRITE"));
        Assert.Equal("+OK\r\n", server.Call("MULTI"));
        Assert.Equal("+QUEUED\r\n", server.Call("GET", "k"));
        Assert.Equal("*1\r\n$-1\r\n", server.Call("EXEC"));
    }

    // Each client's INCR waits; one that only reads is served where writes alone are paused.
    private static InProcessClient[] Pause(InProcessServer server, string mode, long pauseMs)
    {
        InProcessClient[] clients = [.. Enumerable.Range(0, Count).Select(_ => server.Connect())];
        InProcessClient reader = server.Connect();
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "PAUSE", $"{pauseMs}", mode));
        Assert.All(clients, static client => Assert.Equal("", client.Call("INCR", "counter")));
        if (mode == "WRITE")
            Assert.Equal("$-1\r\n", reader.Call("GET", "counter"));
        return clients;
    }

    private static void AssertAllServed(InProcessServer server, InProcessClient[] clients)
    {
        Assert.Equal(
            Enumerable.Range(1, Count).Select(static each => Replies.Integer(each)).Order(),
            clients.Select(Later.Receive).Order()
        );
        Assert.Contains("blocked_clients:0\r\n", server.Call("INFO", "clients"), StringComparison.Ordinal);
    }
}
