// The key hash: equality, differences, and uniformity.
using System.Text;
using Garnet.Store.Memory;
using Xunit;

namespace Garnet.Store.Tests;

public class KeyHashTests
{
    [Fact]
    public void Equal_bytes_hash_equally_wherever_they_lie()
    {
        KeyHash hash = new(42);
        byte[] buffer = new byte[200];
        for (int length = 0; length < 100; length++)
        {
            byte[] key = Enumerable.Range(0, length).Select(i => (byte)(i * 7)).ToArray();
            key.CopyTo(buffer, 3);
            Assert.Equal(hash.Compute(key), hash.Compute(buffer.AsSpan(3, length)));
        }
    }

    [Fact]
    public void Keys_that_differ_in_a_bit_or_in_trailing_zeros_hash_differently()
    {
        KeyHash hash = new(42);
        HashSet<ulong> seen = [];
        int keys = 0;
        for (int length = 0; length <= 70; length++)
        {
            byte[] key = new byte[length];
            Assert.True(seen.Add(hash.Compute(key)), $"{length} zeros");
            keys++;
            for (int bit = 0; bit < length * 8; bit++, keys++)
            {
                key[bit / 8] ^= (byte)(1 << (bit % 8));
                Assert.True(seen.Add(hash.Compute(key)), $"bit {bit} of {length} bytes");
                key[bit / 8] ^= (byte)(1 << (bit % 8));
            }
        }

        Assert.Equal(keys, seen.Count);
    }

    [Fact]
    public void Another_seed_gives_other_hashes()
    {
        KeyHash one = new(1),
            two = new(2);
        int equal = Enumerable
            .Range(0, 1000)
            .Count(i => one.Compute(Encoding.ASCII.GetBytes($"key:{i}")) == two.Compute(Encoding.ASCII.GetBytes($"key:{i}")));
        Assert.Equal(0, equal);
    }

    [Fact]
    public void Keys_chosen_to_collide_under_one_seed_spread_evenly_under_another()
    {
        const int Chosen = 4096;
        KeyHash one = new(1),
            two = new(2);
        List<byte[]> keys = [];
        for (int i = 0; keys.Count < Chosen; i++)
        {
            byte[] key = Encoding.ASCII.GetBytes($"key:{i}");
            if (one.Compute(key) >> 56 == 0x5A)
                keys.Add(key);
        }

        int[] counts = new int[256];
        foreach (byte[] key in keys)
            counts[two.Compute(key) >> 56]++;
        double chiSquare = counts.Sum(count => (count - 16.0) * (count - 16.0) / 16.0);

        // Mean 255 and standard deviation 22.6 for a uniform hash; the seeds are fixed, so this never fails by chance.
        Assert.InRange(chiSquare, 255 - (6 * 22.6), 255 + (6 * 22.6));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(20)]
    [InlineData(48)]
    public void Numbered_keys_spread_evenly_over_any_sixteen_bits(int shift)
    {
        const int Buckets = 1 << 16,
            Keys = Buckets * 16;
        KeyHash hash = new(7);
        int[] counts = new int[Buckets];
        for (int i = 0; i < Keys; i++)
            counts[(ushort)(hash.Compute(Encoding.ASCII.GetBytes($"memtier-{i}")) >> shift)]++;
        double chiSquare = counts.Sum(count => (count - 16.0) * (count - 16.0) / 16.0);

        // Mean 65,535 and standard deviation 362 for a uniform hash; the seed is fixed, so this never fails by chance.
        Assert.InRange(chiSquare, 65_535 - (6 * 362), 65_535 + (6 * 362));
    }
}
