// What requests may hold together, and which of them are given up for others.
using System.Net;
using Garnet.Client;
using Garnet.Dashboard.Figures;
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Login;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class MemoryBudgetTests
{
    private const long MiB = 1 << 20;

    // A quarter of it is kept for newcomers while others leave.
    private readonly MemoryBudget _budget = new(40 * MiB, 12 * MiB);

    [Fact]
    public void A_session_has_a_bound_and_its_requests_end_with_what_they_hold()
    {
        DashboardSession session = NewSession("ann");
        RequestMemory first = New(session);
        RequestMemory second = New(session);
        first.Take(8 * MiB);
        Assert.Throws<OutOfMemoryShareException>(() => second.Take(8 * MiB));
        // What was refused does not count.
        second.Take(3 * MiB);
        Assert.False(first.IsOver);
        first.Dispose();
        second.Take(8 * MiB);
        second.Dispose();
        Assert.Equal(0, _budget.Held);
    }

    [Fact]
    public void Small_requests_are_answered_whatever_others_hold()
    {
        DashboardSession session = NewSession("ann");
        New(session).Take(12 * MiB);
        Assert.Throws<OutOfMemoryShareException>(() => New(session).Take(MiB));
        New(session).Take(10_000);
    }

    [Fact]
    public void What_is_given_back_may_be_taken_again()
    {
        RequestMemory request = New(NewSession("ann"));
        for (int i = 0; i < 100; i++)
        {
            request.Take(11 * MiB);
            request.GiveBack(11 * MiB);
        }

        Assert.Equal(0, _budget.Held);
    }

    [Fact]
    public void A_user_with_many_sessions_keeps_no_other_out()
    {
        RequestMemory[] large = [.. Enumerable.Range(0, 10).Select(_ => New(NewSession("bob")))];
        foreach (RequestMemory each in large)
            each.Take(11 * MiB / 4);
        large[4].Take(MiB / 4);
        RequestMemory ann = New(NewSession("ann"));
        ann.Take(6 * MiB);
        // The largest goes first, and no more of them than it takes.
        Assert.True(large[4].IsOver);
        Assert.True(large[4].Aborted.IsCancellationRequested);
        Assert.Equal(2, large.Count(static each => each.IsOver));
        Assert.Throws<OutOfMemoryShareException>(() => large[4].Take(MiB));
        // The user that holds most gets no more of what the other has.
        Assert.Throws<OutOfMemoryShareException>(() => New(NewSession("bob")).Take(3 * MiB));
        Assert.False(ann.IsOver);
    }

    [Fact]
    public void Of_one_user_a_large_session_makes_place_for_a_small_one()
    {
        DashboardSession[] sessions = [.. Enumerable.Range(0, 5).Select(static _ => NewSession("ann"))];
        RequestMemory[] large = [.. sessions[..3].Select(each => New(each))];
        foreach (RequestMemory each in large)
            each.Take(10 * MiB);
        New(sessions[3]).Take(MiB);
        Assert.Single(large, static each => each.IsOver);
        // Sessions as large as another would be make no place.
        New(sessions[4]).Take(8 * MiB);
        Assert.Throws<OutOfMemoryShareException>(() => New(sessions[4]).Take(3 * MiB));
        Assert.Single(large, static each => each.IsOver);
    }

    [Fact]
    public void Those_that_are_given_up_count_until_they_have_ended()
    {
        RequestMemory[] large = [.. Enumerable.Range(0, 3).Select(_ => New(NewSession("bob")))];
        foreach (RequestMemory each in large)
            each.Take(10 * MiB);
        New(NewSession("ann")).Take(9 * MiB);
        Assert.Equal(1, large.Count(static each => each.IsOver));
        Assert.InRange(_budget.Held, 39 * MiB - 100_000, 40 * MiB);
        RequestMemory eve = New(NewSession("eve"));
        Assert.Throws<OutOfMemoryShareException>(() => eve.Take(5 * MiB));
        large.Single(static each => each.IsOver).Dispose();
        eve.Take(5 * MiB);
        Assert.InRange(_budget.Held, 0, 40 * MiB);
    }

    private RequestMemory New(DashboardSession session) => TestRequest.NewMemory(_budget, session);

    private static DashboardSession NewSession(string user) =>
        new(new NoServer(), new IPEndPoint(IPAddress.Loopback, 1), user, "state", "token", DateTimeOffset.UnixEpoch);

    private sealed class NoServer : IDashboardServer
    {
        public bool RequiresLogin => true;

        public string Version => "0";

        public IReadOnlyList<string> LogLines => [];

        public OwnCalls OwnCalls { get; } = new();

        public string? LoginState(string user) => "state";

        public ValueTask<RespValue> CallAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public Stream Connect(EndPoint peer, string? user) => throw new NotSupportedException();
    }
}
