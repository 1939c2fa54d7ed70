// A random permutation of the numbers below a bound that takes no memory. Immutable.
using System.Numerics;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections;

/// <summary>
/// A Feistel network with random round keys over the smallest even number of bits that holds the bound, iterated until the result is below
/// the bound (Black and Rogaway, "Ciphers with arbitrary finite domains"): yields the i-th number of the permutation. Meant for bounds
/// large enough to be indistinguishable from a shuffle; small ranges are shuffled instead.
/// </summary>
internal readonly struct RandomPermutation
{
    private const int Rounds = 6;
    private readonly ulong _bound;
    private readonly ulong _seed;
    private readonly int _halfBits;

    public RandomPermutation(long bound)
    {
        _bound = (ulong)bound;
        _halfBits = Math.Max(1, (65 - BitOperations.LeadingZeroCount(_bound - 1)) / 2);
        _seed = (ulong)ElementScratch.Current.Random.NextInt64(long.MinValue, long.MaxValue);
    }

    /// <summary>The number at an index of the permutation; the index is below the bound.</summary>
    public long At(long index)
    {
        ulong mask = (1UL << _halfBits) - 1;
        ulong value = (ulong)index;
        do
        {
            ulong left = value >> _halfBits;
            ulong right = value & mask;
            for (ulong round = 1; round <= Rounds; round++)
                (left, right) = (right, left ^ (SipHash.Mix((right + (round << 56)) ^ _seed) & mask));

            value = (left << _halfBits) | right;
        } while (value >= _bound);
        return (long)value;
    }
}
