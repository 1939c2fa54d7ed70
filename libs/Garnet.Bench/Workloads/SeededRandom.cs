// Random numbers that a seed repeats. One thread.
using System.Numerics;

namespace Garnet.Bench.Workloads;

/// <summary>
/// xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), seeded by SplitMix64. The runtime's own
/// generator may change between its versions, and with it what a seed measures.
/// </summary>
internal sealed class SeededRandom
{
    private ulong _a;
    private ulong _b;
    private ulong _c;
    private ulong _d;

    /// <summary>Begins a stream; streams of one seed are independent of each other.</summary>
    public SeededRandom(long seed, int stream)
    {
        ulong state = Mix((ulong)seed) + (ulong)stream * 0x9E3779B97F4A7C15 * 4;
        _a = Mix(state += 0x9E3779B97F4A7C15);
        _b = Mix(state += 0x9E3779B97F4A7C15);
        _c = Mix(state += 0x9E3779B97F4A7C15);
        _d = Mix(state + 0x9E3779B97F4A7C15);
    }

    /// <summary>A bijection of 64 bits in which every bit of the result depends on every bit of the number.</summary>
    public static ulong Mix(ulong number)
    {
        number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9;
        number = (number ^ (number >> 27)) * 0x94D049BB133111EB;
        return number ^ (number >> 31);
    }

    /// <summary>64 random bits.</summary>
    public ulong Next()
    {
        ulong result = BitOperations.RotateLeft(_b * 5, 7) * 9;
        ulong shifted = _b << 17;
        _c ^= _a;
        _d ^= _b;
        _b ^= _c;
        _a ^= _d;
        _c ^= shifted;
        _d = BitOperations.RotateLeft(_d, 45);
        return result;
    }

    /// <summary>A number from 0 up to, not including, the bound. Its bias, the bound's share of 2^64, is too small to show.</summary>
    public long Next(long bound) => (long)Math.BigMul(Next(), (ulong)bound, out _);

    /// <summary>A number from 0 up to, not including, 1.</summary>
    public double NextDouble() => (Next() >> 11) * (1.0 / (1UL << 53));
}
