// Scans return every element that exists throughout the scan, even if others are added, changed or removed; and cursors fit in 53 bits.
using System.Text;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections;

public sealed class CollectionScanTests(ITestOutputHelper output)
{
    // Few enough for the packed encoding when the scan begins, converted to a tree when it ends.
    private const int Few = 140;
    private const int Many = 2000;

    [Theory]
    [InlineData(Few)]
    [InlineData(Many)]
    public void A_scan_of_a_changing_set_returns_all_permanent_members(int stayers) =>
        Scan(
            stayers,
            (client, cursor, seen) =>
            {
                var visitor = new CollectingVisitor(seen);
                return new SetValue(client.Open("k"u8.ToArray())).Scan(cursor, 7, ref visitor);
            },
            (client, member, number, adds) =>
            {
                var set = new SetValue(client.Open("k"u8.ToArray()));
                Assert.True(number >= 0);
                _ = adds ? set.Add(member) : set.Remove(member);
            }
        );

    [Theory]
    [InlineData(Few)]
    [InlineData(Many)]
    public void A_scan_of_a_changing_hash_returns_all_permanent_fields(int stayers) =>
        Scan(
            stayers,
            (client, cursor, seen) =>
            {
                var visitor = new PairVisitor(seen);
                return new HashValue(client.Open("k"u8.ToArray())).Scan(cursor, 7, ref visitor);
            },
            (client, member, number, adds) =>
            {
                var hash = new HashValue(client.Open("k"u8.ToArray()));
                _ = adds ? hash.Set(member, new byte[number % 50]) : hash.Remove(member);
            }
        );

    [Theory]
    [InlineData(Many, 1_000_000)]
    [InlineData(Many, 3)]
    [InlineData(Few, 1_000_000)]
    public void A_scan_of_a_sorted_set_with_changing_scores_returns_all_permanent_members(int stayers, int scores) =>
        Scan(
            stayers,
            (client, cursor, seen) =>
            {
                var visitor = new ScoredVisitor(seen);
                return new SortedSetValue(client.Open("k"u8.ToArray())).Scan(cursor, 7, ref visitor);
            },
            (client, member, number, adds) =>
            {
                var zset = new SortedSetValue(client.Open("k"u8.ToArray()));
                _ = adds ? zset.Set(member, number % scores, out _) : zset.Remove(member);
            }
        );

    private delegate ulong ScanStep(CollectionClient client, ulong cursor, List<byte[]> seen);

    private delegate void Change(CollectionClient client, byte[] member, int number, bool adds);

    private void Scan(int stayers, ScanStep step, Change change)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime())
        {
            CollectionLimits = new CollectionLimits { HashMaxListPackEntries = 128 },
        };
        using var client = new CollectionClient(store);
        for (int i = 0; i < stayers; i++)
            change(client, Encoding.ASCII.GetBytes("stays" + i), random.Next(1 << 20), true);

        var seen = new List<byte[]>();
        ulong cursor = 0;
        int steps = 0;
        do
        {
            cursor = step(client, cursor, seen);
            Assert.True(cursor < 1UL << 53);
            for (int i = 0; i < 20; i++)
            {
                change(client, Encoding.ASCII.GetBytes("comes" + random.Next(3000)), random.Next(1 << 20), random.Next(2) == 0);
                change(client, Encoding.ASCII.GetBytes("stays" + random.Next(stayers)), random.Next(1 << 20), true);
            }
        } while (cursor != 0 && ++steps < 10_000);
        Assert.Equal(0UL, cursor);
        Assert.True(steps > stayers / 20);
        var met = seen.Select(Encoding.ASCII.GetString).ToHashSet();
        Assert.All(Enumerable.Range(0, stayers), i => Assert.Contains("stays" + i, met));
    }

    private readonly struct PairVisitor(List<byte[]> seen) : IHashVisitor
    {
        public void Visit(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value) => seen.Add(field.ToArray());
    }

    private readonly struct ScoredVisitor(List<byte[]> seen) : IScoredVisitor
    {
        public void Visit(ReadOnlySpan<byte> member, double score) => seen.Add(member.ToArray());
    }
}
