// Partial sorting. One thread.
using Garnet.Engine.Requests;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Commands;

public sealed class PartialSortTests(ITestOutputHelper output)
{
    [Fact]
    public void The_requested_part_is_sorted()
    {
        var random = new Random(TestSeed.Choose(output, 4_100));
        for (int round = 0; round < 2_000; round++)
        {
            int[] items = new int[random.Next(1, 300)];
            int values = random.Next(1, 400);
            for (int i = 0; i < items.Length; i++)
                items[i] = random.Next(values);
            int first = random.Next(items.Length);
            int last = random.Next(first, items.Length);
            int[] sorted = [.. items.Order()];
            PartialSort.Sort(items, first, last, static (a, b) => a.CompareTo(b));
            Assert.Equal(sorted[first..(last + 1)], items[first..(last + 1)]);
            Assert.Equal(sorted, items.Order());
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_adversary_causes_neither_quadratic_time_nor_deep_recursion(bool wantsLastAlone)
    {
        const int count = 200_000;
        var adversary = new SortAdversary(count);
        int[] items = [.. Enumerable.Range(0, count)];

        // A thread with a small stack: recursion proportional to the number of elements would crash the process.
        var thread = new Thread(() => PartialSort.Sort(items, wantsLastAlone ? count - 1 : 0, count - 1, adversary.Compare), 256 * 1024);
        thread.Start();
        thread.Join();

        Assert.InRange(adversary.Comparisons, count, 200L * count);
        int[] values = [.. items.Select(adversary.ValueOf)];
        Assert.Equal(values.Max(), values[^1]);
        if (!wantsLastAlone)
            Assert.Equal(values.Order(), values);
    }
}
