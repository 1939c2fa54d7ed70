// A random order of the numbers below a bound, without memory for it. Immutable.
using System.Numerics;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections;

/// <summary>
/// A Feistel network with random round keys over the least even number of bits that holds the bound, walked until the outcome is below it
/// (Black and Rogaway, "Ciphers with arbitrary finite domains"): the i-th number of the order, all of them distinct. For bounds large
/// enough that nobody can tell it from a shuffle; small ones are shuffled.
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

    /// <summary>The number at a place of the order; the place is below the bound.</summary>
    public long At(long place)
    {
        ulong mask = (1UL << _halfBits) - 1;
        ulong value = (ulong)place;
        do
        {
            ulong left = value >> _halfBits;
            ulong right = value & mask;
            for (ulong round = 1; round <= Rounds; round++)
            {
                (left, right) = (right, left ^ (SipHash.Mix((right + (round << 56)) ^ _seed) & mask));
            }

            value = (left << _halfBits) | right;
        } while (value >= _bound);
        return (long)value;
    }
}
