// Sorted sets built in bulk equal those built member by member.
using System.Text;
using Garnet.Store.Collections.SortedSets;
using Garnet.Testing;
using Xunit;

namespace Garnet.Store.Tests;

public sealed class ScoredMembersTests : IDisposable
{
    private readonly HybridLogStore _store = new(new StoreOptions(), TimeProvider.System);
    private readonly StoreSession _session;

    public ScoredMembersTests()
    {
        _session = _store.OpenSession();
        _session.EnterBatch();
    }

    public void Dispose()
    {
        _session.LeaveBatch();
        _session.Dispose();
        _store.Dispose();
    }

    [Theory]
    [InlineData(1, 10)]
    [InlineData(2, 5_000)]
    [InlineData(3, 5_000)]
    [InlineData(4, 60)]
    public void Building_in_bulk_in_any_order_equals_adding_members_one_by_one(int seed, int scores)
    {
        seed = TestSeed.Choose(seed);
        var random = new Random(seed);
        int[] members = [.. Enumerable.Range(0, 5_000)];
        if (seed != 2)
            random.Shuffle(members);
        var one = SortedSetValue.Detached(_session);
        var atOnce = SortedSetValue.Detached(_session);
        using ScoredMembers gathered = new();
        foreach (int member in members)
        {
            byte[] name = Encoding.ASCII.GetBytes($"member:{member}");
            Assert.True(gathered.TryAdd(name, member % scores));
            one.Set(name, member % scores, out _);
        }

        Assert.True(gathered.AddTo(ref atOnce));
        Assert.Equal(ListOf(one), ListOf(atOnce));
        foreach (int member in members)
        {
            Assert.True(atOnce.TryGetScore(Encoding.ASCII.GetBytes($"member:{member}"), out double score));
            Assert.Equal(member % scores, score);
        }

        one.Discard();
        atOnce.Discard();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_duplicate_member_is_detected_and_nothing_is_built(bool areEqual)
    {
        var set = SortedSetValue.Detached(_session);
        using ScoredMembers gathered = new();
        for (int i = 0; i < 5_000; i++)
            gathered.TryAdd(Encoding.ASCII.GetBytes(areEqual ? "same" : $"member:{i % 4_999}"), i);
        Assert.False(gathered.AddTo(ref set));
        Assert.Equal(0, set.Length);
        set.Discard();
    }

    private static List<string> ListOf(SortedSetValue set)
    {
        List<string> list = [];
        foreach (ScoredMember member in set)
            list.Add($"{Encoding.ASCII.GetString(member.Member)} {member.Score}");
        return list;
    }
}
