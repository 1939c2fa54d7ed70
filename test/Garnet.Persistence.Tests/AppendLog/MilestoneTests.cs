// Waiting for a figure that grows.
using Garnet.Persistence.AppendLog;
using Xunit;

namespace Garnet.Persistence.Tests.AppendLog;

public sealed class MilestoneTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task Each_waiter_is_told_when_its_value_is_reached()
    {
        Milestone milestone = new(10);
        Assert.True(await milestone.ReachedAsync(10, CancellationToken.None));
        Task<bool> near = milestone.ReachedAsync(11, CancellationToken.None);
        Task<bool> far = milestone.ReachedAsync(13, CancellationToken.None);
        milestone.Raise(12);
        Assert.True(await near.WaitAsync(Patience));
        Assert.False(far.IsCompleted);
        milestone.Raise(13);
        Assert.True(await far.WaitAsync(Patience));
        Assert.Equal(13, milestone.Value);
    }

    [Fact]
    public async Task The_end_tells_those_whose_value_will_not_come()
    {
        Milestone milestone = new(1);
        Task<bool> early = milestone.ReachedAsync(2, CancellationToken.None);
        milestone.End();
        Assert.False(await early.WaitAsync(Patience));
        Assert.False(await milestone.ReachedAsync(2, CancellationToken.None).WaitAsync(Patience));
        Assert.True(await milestone.ReachedAsync(1, CancellationToken.None));
    }

    [Fact]
    public async Task A_cancelled_wait_ends_and_leaves_the_others()
    {
        Milestone milestone = new(1);
        using CancellationTokenSource source = new();
        Task<bool> cancelled = milestone.ReachedAsync(2, source.Token);
        Task<bool> other = milestone.ReachedAsync(2, CancellationToken.None);
        await source.CancelAsync();
        Assert.False(await cancelled.WaitAsync(Patience));
        Assert.False(other.IsCompleted);
        milestone.Raise(2);
        Assert.True(await other.WaitAsync(Patience));
        Assert.False(await milestone.ReachedAsync(3, source.Token).WaitAsync(Patience));
    }

    [Fact]
    public async Task No_waiter_is_missed_while_the_value_grows()
    {
        const int Last = 100_000;
        Milestone milestone = new(0);
        var raising = Task.Run(() =>
        {
            for (int i = 1; i <= Last; i++)
                milestone.Raise(i);
        });
        for (long value = 0; value < Last; value = milestone.Value)
            Assert.True(await milestone.ReachedAsync(value + 1, CancellationToken.None).WaitAsync(Patience));
        await raising;
    }
}
