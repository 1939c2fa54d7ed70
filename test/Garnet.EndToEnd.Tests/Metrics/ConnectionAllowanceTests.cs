// Which connection of the metrics endpoint is closed for a new one.
using System.Net;
using Garnet.Hosting.Http;
using Microsoft.AspNetCore.Connections;
using Xunit;

namespace Garnet.EndToEnd.Tests.Metrics;

public sealed class ConnectionAllowanceTests
{
    private const int Bound = 4;

    // One place is kept for a newcomer while another connection is being closed.
    private readonly ConnectionAllowance _allowance = new(Bound + 1);
    private readonly List<Visitor> _visitors = [];

    [Fact]
    public async Task The_longest_waiting_connection_of_the_busiest_peer_is_closed()
    {
        Visitor[] first = [await Come(1), await Come(2), await Come(2), await Come(3)];
        Visitor other = await Come(4);
        Assert.Equal([false, true, false, false], first.Select(static each => each.IsAborted));
        // All addresses have one connection now, so the longest-waiting of all is closed.
        Visitor another = await Come(4);
        Assert.Equal([true, true, false, false], first.Select(static each => each.IsAborted));
        await Come(5);
        Assert.True(other.IsAborted);
        Assert.False(another.IsAborted);
        await Leave([.. first, other, another]);
    }

    [Fact]
    public async Task A_request_being_served_is_not_interrupted_and_waits_again_afterwards()
    {
        Visitor[] served = [await Come(1), await Come(1, lingers: true), await Come(1), await Come(1)];
        foreach (Visitor each in served)
            each.Request.Begin();
        // There is no place, so the bound holds.
        Visitor beyond = await Come(1);
        Assert.All(served, static each => Assert.False(each.IsAborted));
        Assert.True(beyond.IsAborted);
        Assert.Equal(Bound, _allowance.Count);
        served[1].Request.End();
        served[0].Request.End();
        await Come(2);
        Assert.True(served[1].IsAborted);
        Assert.False(served[0].IsAborted);
        // A connection that is being closed may still send its response.
        served[1].Request.Begin();
        served[1].Request.End();
        await Leave([.. served, beyond]);
    }

    [Fact]
    public async Task A_peer_that_reads_none_of_its_answers_keeps_no_other_out()
    {
        Visitor[] deaf = [await Come(1), await Come(1), await Come(1), await Come(1)];
        foreach (Visitor each in deaf)
            each.Request.Begin();
        Visitor other = await Come(2);
        Assert.False(other.IsAborted);
        Assert.Equal([true, false, false, false], deaf.Select(static each => each.IsAborted));
        Assert.Equal(Bound, _allowance.Count);
        await Leave([.. deaf, other]);
        Assert.Equal(0, _allowance.Count);
    }

    [Fact]
    public async Task Connections_that_are_being_closed_count_until_they_have_ended()
    {
        Visitor[] lingering =
        [
            await Come(1, lingers: true),
            await Come(1, lingers: true),
            await Come(1, lingers: true),
            await Come(1, lingers: true),
        ];
        Visitor second = await Come(2);
        Assert.True(lingering[0].IsAborted);
        Assert.False(second.IsAborted);
        Assert.Equal((Bound + 1, Bound), (_allowance.Total, _allowance.Count));
        Visitor third = await Come(3);
        Assert.True(third.IsAborted);
        Assert.False(lingering[1].IsAborted);
        Assert.Equal(Bound + 1, _allowance.Total);
        await Leave(lingering[0], third);
        Visitor fourth = await Come(4);
        Assert.False(fourth.IsAborted);
        Assert.True(lingering[1].IsAborted);
        Assert.Equal(Bound + 1, _allowance.Total);
        await Leave([.. lingering[1..], second, fourth]);
        Assert.Equal((0, 0), (_allowance.Total, _allowance.Count));
    }

    // A machine has 64 bits of addresses of IPv6 to itself, so as many addresses are one peer.
    [Fact]
    public async Task Addresses_of_one_network_are_one_peer()
    {
        Visitor[] first =
        [
            await Come("2001:db8::1"),
            await Come(1),
            await Come(1),
            await Come("2001:db8::2"),
            await Come("2001:db8::3"),
            await Come(2),
            await Come("2001:db8:0:1::1"),
        ];
        Assert.Equal([true, true, false, true, false, false, false], first.Select(static each => each.IsAborted));
        await Leave(first);
    }

    [Fact]
    public async Task Allowed_connections_are_kept_and_closed_ones_no_longer_count()
    {
        Visitor[] first = [await Come(1), await Come(1), await Come(1), await Come(1)];
        await Leave(first);
        Assert.Equal(0, _allowance.Count);
        Visitor[] second = [await Come(1), await Come(1), await Come(2), await Come(2)];
        Assert.All(second, static each => Assert.False(each.IsAborted));
        Assert.Equal(Bound, _allowance.Count);
        await Leave(second);
    }

    [Fact]
    public async Task Closing_ends_those_that_wait_and_those_that_come_later()
    {
        Visitor waiting = await Come(1);
        Visitor served = await Come(1);
        served.Request.Begin();
        _allowance.Close();
        Assert.True(waiting.IsAborted);
        Assert.False(served.IsAborted);
        Assert.True((await Come(2)).IsAborted);
        await Leave(waiting, served);
    }

    private static async Task Leave(params Visitor[] visitors)
    {
        foreach (Visitor visitor in visitors)
            visitor.Left.TrySetResult();
        foreach (Visitor visitor in visitors)
            await visitor.Serving;
    }

    private Task<Visitor> Come(int peer, bool lingers = false) => Come($"10.0.0.{peer}", lingers);

    // Returns when those that have been closed for it have ended, unless they linger.
    private async Task<Visitor> Come(string address, bool lingers = false)
    {
        var visitor = new Visitor { RemoteEndPoint = new IPEndPoint(IPAddress.Parse(address), 1), Lingers = lingers };
        visitor.Serving = _allowance.ServeAsync(visitor, _ => visitor.Left.Task);
        _visitors.Add(visitor);
        await Task.WhenAll(_visitors.Where(static each => each.IsAborted && !each.Lingers).Select(static each => each.Serving));
        return visitor;
    }

    private sealed class Visitor : DefaultConnectionContext
    {
        public bool IsAborted { get; private set; }

        public TaskCompletionSource Left { get; } = new();

        public Task Serving { get; set; } = Task.CompletedTask;

        public ConnectionAllowance.Request Request => Features.Get<ConnectionAllowance.Request>()!;

        // Whether it takes a while to end.
        public bool Lingers { get; init; }

        public override void Abort(ConnectionAbortedException abortReason)
        {
            IsAborted = true;
            if (!Lingers)
                Left.TrySetResult();
        }
    }
}
