// Sizes and bytes of values.
using Garnet.Bench.Options;
using Garnet.Bench.Workloads;
using Xunit;

namespace Garnet.Bench.Tests.Workloads;

public sealed class ValuePoolTests
{
    [Fact]
    public void Values_have_the_size_of_the_option() =>
        Assert.All(Slices(TestOptions.Parse("-d", "77")), static slice => Assert.Equal(new ValueSlice(0, 77), slice));

    [Fact]
    public void Random_values_differ_and_have_the_same_size()
    {
        ValueSlice[] slices = Slices(TestOptions.Parse("-d", "77", "-R"));
        Assert.All(slices, static slice => Assert.Equal(77, slice.Length));
        Assert.True(slices.Distinct().Count() > slices.Length / 2);
    }

    [Fact]
    public void Sizes_of_a_range_reach_both_ends()
    {
        int[] sizes = [.. Slices(TestOptions.Parse("--data-size-range", "5-8")).Select(static slice => slice.Length)];
        Assert.Equal([5, 6, 7, 8], sizes.Distinct().Order());
    }

    // 1000 draws of a share of 3/4 deviate by sqrt(1000 * 3/4 * 1/4) = 14; six of those are 84.
    [Fact]
    public void Sizes_of_a_list_have_their_weights()
    {
        ValueSlice[] slices = Slices(TestOptions.Parse("--data-size-list", "10:3,20:1"));
        Assert.InRange(slices.Count(static slice => slice.Length == 10), 750 - 84, 750 + 84);
        Assert.All(slices, static slice => Assert.True(slice.Length is 10 or 20));
    }

    [Fact]
    public void Sizes_may_grow_with_the_key()
    {
        var pool = new ValuePool(TestOptions.Parse("--data-size-range", "1-10", "--data-size-pattern", "S", "-r", "100"));
        var random = new SeededRandom(1, 0);
        Assert.Equal(1, pool.Choose(0, random).Length);
        Assert.Equal(5, pool.Choose(45, random).Length);
        Assert.Equal(10, pool.Choose(99, random).Length);
    }

    [Fact]
    public void A_verified_value_belongs_to_its_key()
    {
        var pool = new ValuePool(TestOptions.Parse("--verify", "--data-size-range", "20-40"));
        var random = new SeededRandom(1, 0);
        Assert.Equal(pool.Choose(5, random), pool.Choose(5, random));
        Assert.Equal(pool.Of(5), pool.Choose(5, random));
        Assert.False(pool.Bytes(pool.Of(5)).SequenceEqual(pool.Bytes(pool.Of(6))));
    }

    [Fact]
    public void Values_are_printable_and_depend_on_the_seed()
    {
        BenchOptions options = TestOptions.Parse("-d", "100");
        byte[] first = new ValuePool(options).Bytes(new ValueSlice(0, 100)).ToArray();
        Assert.All(first, static value => Assert.InRange(value, (byte)'-', (byte)'z'));
        Assert.NotEqual(first, new ValuePool(TestOptions.Parse("-d", "100", "--seed", "9")).Bytes(new ValueSlice(0, 100)).ToArray());
    }

    private static ValueSlice[] Slices(BenchOptions options)
    {
        var pool = new ValuePool(options);
        var random = new SeededRandom(options.Seed, 0);
        return [.. Enumerable.Range(0, 1000).Select(key => pool.Choose(key, random))];
    }
}
