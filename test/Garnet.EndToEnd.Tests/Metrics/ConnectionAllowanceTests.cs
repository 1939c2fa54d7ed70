// Which connection of the metrics endpoint is closed for a new one.
using System.Net;
using Garnet.Hosting.Http;
using Microsoft.AspNetCore.Connections;
using Xunit;

namespace Garnet.EndToEnd.Tests.Metrics;

public sealed class ConnectionAllowanceTests
{
    private const int Bound = 4;
    private readonly ConnectionAllowance _allowance = new(Bound);

    [Fact]
    public async Task The_longest_waiting_connection_of_the_busiest_peer_is_closed()
    {
        Visitor[] first = [Come(1), Come(2), Come(2), Come(3)];
        Visitor other = Come(4);
        Assert.Equal([false, true, false, false], first.Select(static each => each.IsAborted));
        // All addresses have one connection now, so the longest-waiting of all is closed.
        Visitor another = Come(4);
        Assert.Equal([true, true, false, false], first.Select(static each => each.IsAborted));
        Come(5);
        Assert.True(other.IsAborted);
        Assert.False(another.IsAborted);
        await Leave([.. first, other, another]);
    }

    [Fact]
    public async Task A_request_being_served_is_not_interrupted_and_waits_again_afterwards()
    {
        Visitor[] served = [Come(1), Come(1), Come(1), Come(1)];
        foreach (Visitor each in served)
            each.Request.Begin();
        Visitor beyond = Come(1);
        Assert.All(served, static each => Assert.False(each.IsAborted));
        Assert.False(beyond.IsAborted);
        served[1].Request.End();
        served[0].Request.End();
        Come(2);
        Assert.True(beyond.IsAborted);
        Come(2);
        Assert.True(served[1].IsAborted);
        Assert.False(served[0].IsAborted);
        // A connection that is being closed may still send its response.
        served[1].Request.Begin();
        served[1].Request.End();
        await Leave([.. served, beyond]);
    }

    [Fact]
    public async Task Allowed_connections_are_kept_and_closed_ones_no_longer_count()
    {
        Visitor[] first = [Come(1), Come(1), Come(1), Come(1)];
        await Leave(first);
        Assert.Equal(0, _allowance.Count);
        Visitor[] second = [Come(1), Come(1), Come(2), Come(2)];
        Assert.All(second, static each => Assert.False(each.IsAborted));
        Assert.Equal(Bound, _allowance.Count);
        await Leave(second);
    }

    [Fact]
    public async Task Closing_ends_those_that_wait_and_those_that_come_later()
    {
        Visitor waiting = Come(1);
        Visitor served = Come(1);
        served.Request.Begin();
        _allowance.Close();
        Assert.True(waiting.IsAborted);
        Assert.False(served.IsAborted);
        Assert.True(Come(2).IsAborted);
        await Leave(waiting, served);
    }

    private static async Task Leave(params Visitor[] visitors)
    {
        foreach (Visitor visitor in visitors)
            visitor.Left.TrySetResult();
        foreach (Visitor visitor in visitors)
            await visitor.Serving;
    }

    private Visitor Come(int peer)
    {
        var visitor = new Visitor { RemoteEndPoint = new IPEndPoint(new IPAddress([10, 0, 0, (byte)peer]), 1) };
        visitor.Serving = _allowance.ServeAsync(visitor, _ => visitor.Left.Task);
        return visitor;
    }

    private sealed class Visitor : DefaultConnectionContext
    {
        public bool IsAborted { get; private set; }

        public TaskCompletionSource Left { get; } = new();

        public Task Serving { get; set; } = Task.CompletedTask;

        public ConnectionAllowance.Request Request => Features.Get<ConnectionAllowance.Request>()!;

        public override void Abort(ConnectionAbortedException abortReason) => IsAborted = true;
    }
}
