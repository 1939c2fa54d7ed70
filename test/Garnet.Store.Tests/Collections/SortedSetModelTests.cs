// Sorted sets compared with a sorted list: random histories must agree in scores, ranks and ranges.
using System.Text;
using Garnet.Store.Collections.SortedSets;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections;

public sealed class SortedSetModelTests(ITestOutputHelper output)
{
    private static readonly Comparer<(double Score, byte[] Member)> Order = Comparer<(double Score, byte[] Member)>.Create(
        static (x, y) => x.Score != y.Score ? x.Score.CompareTo(y.Score) : x.Member.AsSpan().SequenceCompareTo(y.Member)
    );

    [Theory]
    [InlineData(20, 5000)]
    [InlineData(400, 15_000)]
    [InlineData(4000, 15_000)]
    public void Random_histories_agree_with_a_sorted_list(int kinds, int commands)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 17, BlockThresholdBytes = 2048 }, new VirtualTime());
        using var client = new CollectionClient(store);
        byte[] key = "z"u8.ToArray();
        var scores = new Dictionary<byte[], double>(ByteArrayComparer.Instance);
        bool isLarge = false;
        for (int i = 0; i < commands; i++)
        {
            byte[] member = CollectionClient.RandomElement(random, kinds);
            var zset = new SortedSetValue(client.Open(key));
            switch (random.Next(10))
            {
                case < 5:
                    double score = RandomScore(random);
                    isLarge |= !scores.ContainsKey(member) && (scores.Count >= 128 || member.Length > 64);
                    bool isAdded = !scores.TryGetValue(member, out double old);
                    Assert.Equal(isAdded, zset.Set(member, score, out double oldScore));
                    Assert.True(isAdded ? double.IsNaN(oldScore) : oldScore == old);
                    scores[member] =
                        !isAdded && old == score ? old
                        : score == 0 && !isLarge ? 0
                        : score;
                    break;
                case < 8:
                    Assert.Equal(scores.Remove(member), zset.Remove(member));
                    break;
                case 8 when random.Next(20) == 0 && scores.Count > 0:
                    List<(double Score, byte[] Member)> all = Sorted(scores);
                    int first = random.Next(all.Count);
                    int count = random.Next(Math.Min(10, all.Count - first) + 1);
                    Assert.Equal(count, zset.RemoveRange(first, count));
                    all.GetRange(first, count).ForEach(each => scores.Remove(each.Member));
                    break;
                default:
                    Assert.Equal(scores.TryGetValue(member, out old), zset.TryGetScore(member, out double read));
                    Assert.True(!scores.ContainsKey(member) || BitConverter.DoubleToInt64Bits(old) == BitConverter.DoubleToInt64Bits(read));
                    break;
            }

            isLarge &= scores.Count > 0;
            Assert.Equal(scores.Count, zset.Length);
            Assert.Equal(scores.Count > 0, zset.Exists);
            if (zset.Exists)
                Assert.Equal(isLarge ? "skiplist" : "listpack", Encoding.ASCII.GetString(zset.Encoding));

            if (i % 61 == 0)
            {
                AssertSame(zset, Sorted(scores), random);
                client.Outside(() => store.Maintenance.Run());
            }

            if (random.Next(commands / 3) == 0)
            {
                client.Open(key).Delete();
                scores.Clear();
                isLarge = false;
            }
        }
    }

    [Fact]
    public void Members_with_equal_scores_are_ordered_by_their_bytes()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new CollectionClient(store);
        foreach (int members in new[] { 1, 30, 700 })
        {
            var zset = new SortedSetValue(client.Open(Encoding.ASCII.GetBytes("lex" + members)));
            var model = new SortedSet<byte[]>(ByteArrayComparer.Instance);
            for (int i = 0; i < members; i++)
            {
                byte[] member = CollectionClient.RandomElement(random, 100);
                model.Add(member);
                zset.Set(member, 7, out _);
            }

            List<byte[]> all = [.. model];
            for (int round = 0; round < 300; round++)
            {
                byte[] min = CollectionClient.RandomElement(random, 100);
                byte[] max = CollectionClient.RandomElement(random, 100);
                var minKind = (LexBound)random.Next(4);
                var maxKind = (LexBound)random.Next(4);
                RankRange ranks = zset.RanksOf(
                    new LexRange
                    {
                        Min = min,
                        Max = max,
                        MinKind = minKind,
                        MaxKind = maxKind,
                    }
                );
                var expected = all.Where(each => IsIn(each, min, minKind, isMin: true) && IsIn(each, max, maxKind, isMin: false)).ToList();
                Assert.Equal(expected.Count, ranks.Count);
                var read = new List<byte[]>();
                foreach (ScoredMember member in zset.Range(ranks.First, ranks.Count))
                    read.Add(member.Member.ToArray());

                ByteArrayComparer.AssertEqual(expected, read);
            }
        }
    }

    private static bool IsIn(byte[] member, byte[] bound, LexBound kind, bool isMin)
    {
        int order = isMin ? member.AsSpan().SequenceCompareTo(bound) : bound.AsSpan().SequenceCompareTo(member);
        return kind switch
        {
            LexBound.Inclusive => order >= 0,
            LexBound.Exclusive => order > 0,
            LexBound.NegativeInfinity => isMin,
            _ => !isMin,
        };
    }

    private static List<(double Score, byte[] Member)> Sorted(Dictionary<byte[], double> scores)
    {
        List<(double Score, byte[] Member)> all = scores.Select(pair => (pair.Value, pair.Key)).ToList();
        all.Sort(Order);
        return all;
    }

    private static double RandomScore(Random random) =>
        random.Next(12) switch
        {
            0 => double.PositiveInfinity,
            1 => double.NegativeInfinity,
            2 => -0.0,
            3 => 0,
            4 => random.NextDouble() * 10,
            5 => random.NextInt64(),
            6 => -random.NextDouble() * 1e300,
            _ => random.Next(-20, 20),
        };

    private static void AssertSame(in SortedSetValue zset, List<(double Score, byte[] Member)> all, Random random)
    {
        int rank = 0;
        foreach (ScoredMember member in zset)
        {
            Assert.Equal(all[rank].Member, member.Member.ToArray());
            Assert.Equal(all[rank].Score, member.Score);
            rank++;
        }

        Assert.Equal(all.Count, rank);
        for (int round = 0; round < 10; round++)
            AssertRange(zset, all, random);

        if (all.Count > 0)
        {
            int index = random.Next(all.Count);
            Assert.Equal(index, zset.Rank(all[index].Member));
            Assert.Equal(all.Count - 1 - index, zset.Rank(all[index].Member, isReverse: true));
            Assert.Equal(all[index].Member, zset.At(index).Member.ToArray());
        }

        Assert.Equal(-1, zset.Rank("never there"u8));
        var visitor = new ScoreVisitor(new Dictionary<byte[], double>(ByteArrayComparer.Instance));
        ulong cursor = 0;
        do
        {
            cursor = zset.Scan(cursor, 10, ref visitor);
        } while (cursor != 0);
        Assert.Equal(all.Count, visitor.Seen.Count);
        Assert.All(all, each => Assert.Equal(each.Score, visitor.Seen[each.Member]));
        int sampled = 0;
        foreach (ScoredMember member in zset.Sample(30, isDistinct: true))
        {
            Assert.Equal(visitor.Seen[member.Member.ToArray()], member.Score);
            sampled++;
        }

        Assert.Equal(Math.Min(30, all.Count), sampled);
    }

    private static void AssertRange(in SortedSetValue zset, List<(double Score, byte[] Member)> all, Random random)
    {
        var range = new ScoreRange(RandomScore(random), RandomScore(random), random.Next(2) == 0, random.Next(2) == 0);
        RankRange ranks = zset.RanksOf(range);
        var expected = all.Where(each =>
                (range.IsMinExclusive ? each.Score > range.Min : each.Score >= range.Min)
                && (range.IsMaxExclusive ? each.Score < range.Max : each.Score <= range.Max)
            )
            .ToList();
        Assert.Equal(expected.Count, ranks.Count);
        if (expected.Count > 0)
            Assert.Equal(all.IndexOf(expected[0]), ranks.First);

        bool isReverse = random.Next(2) == 0;
        long first = isReverse ? ranks.First + ranks.Count - 1 : ranks.First;
        int most = random.Next(40);
        if (isReverse)
            expected.Reverse();

        int at = 0;
        if (ranks.Count > 0)
        {
            foreach (ScoredMember member in zset.Range(first, Math.Min(most, ranks.Count), isReverse))
            {
                Assert.Equal(expected[at].Member, member.Member.ToArray());
                at++;
            }

            Assert.Equal(Math.Min(most, expected.Count), at);
        }
    }

    private readonly struct ScoreVisitor(Dictionary<byte[], double> seen) : IScoredVisitor
    {
        public Dictionary<byte[], double> Seen => seen;

        public void Visit(ReadOnlySpan<byte> member, double score) => seen[member.ToArray()] = score;
    }
}
