// Which replicas may continue, by the identifiers of their history.
using Garnet.Server.Effects;
using Xunit;

namespace Garnet.Server.Tests.Effects;

public sealed class ReplicationHistoryTests
{
    [Fact]
    public void The_present_history_may_be_continued_anywhere()
    {
        ReplicationHistory history = new();
        Assert.True(history.Includes(history.Id, 1));
        Assert.True(history.Includes(history.Id.ToUpperInvariant(), long.MaxValue));
        Assert.False(history.Includes(new ReplicationHistory().Id, 1));
        Assert.Equal(new string('0', 40), history.SecondId);
        Assert.Equal(-1, history.SecondEnd);
        Assert.False(history.Includes(history.SecondId, 1));
    }

    [Fact]
    public void After_a_promotion_the_former_history_ends_where_the_new_one_begins()
    {
        ReplicationHistory history = new();
        string former = history.Id;
        history.Branch(100);
        Assert.NotEqual(former, history.Id);
        Assert.Equal(former, history.SecondId);
        Assert.Equal(101, history.SecondEnd);
        Assert.True(history.Includes(former, 101));
        Assert.False(history.Includes(former, 102));
        Assert.True(history.Includes(history.Id, 102));
    }

    [Fact]
    public void Replaced_data_has_one_history_only()
    {
        ReplicationHistory history = new();
        history.Branch(5);
        history.Adopt("0123456789abcdef0123456789abcdef01234567");
        Assert.Equal("0123456789abcdef0123456789abcdef01234567", history.Id);
        Assert.Equal(-1, history.SecondEnd);
        history.Change();
        Assert.False(history.Includes("0123456789abcdef0123456789abcdef01234567", 1));
    }

    [Fact]
    public void A_start_from_a_snapshot_continues_its_history_under_another_name()
    {
        ReplicationHistory history = new();
        history.Continue("0123456789abcdef0123456789abcdef01234567", 7);
        Assert.True(history.Includes("0123456789abcdef0123456789abcdef01234567", 8));
        Assert.False(history.Includes("0123456789abcdef0123456789abcdef01234567", 9));
        Assert.NotEqual("0123456789abcdef0123456789abcdef01234567", history.Id);
    }
}
