// The bytes and sizes of values. Immutable after construction; any thread.
using Garnet.Bench.Options;

namespace Garnet.Bench.Workloads;

/// <summary>
/// One block of random printable bytes; every value is a part of it, so that a value costs a copy. Where values are verified, the key's
/// number decides which part and how long: a reply then shows whether it is the value of its key.
/// </summary>
internal sealed class ValuePool
{
    private const int Offsets = 64 * 1024;
    private const string Characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private readonly byte[] _bytes;
    private readonly ValueOptions _values;
    private readonly KeyOptions _keys;
    private readonly long _weightSum;

    /// <summary>Creates the values of some options.</summary>
    public ValuePool(BenchOptions options)
    {
        _values = options.Values;
        _keys = options.Keys;
        _weightSum = _values.Weights?.Sum(static weight => (long)weight.Weight) ?? 0;
        _bytes = new byte[_values.Largest + Offsets];
        var random = new SeededRandom(options.Seed, stream: -1);
        for (int i = 0; i < _bytes.Length; i++)
            _bytes[i] = (byte)Characters[(int)(random.Next() >> 58)];
    }

    /// <summary>The size of the largest value.</summary>
    public int Largest => _values.Largest;

    /// <summary>Chooses the value to be written to a key.</summary>
    /// <param name="key">The key's number.</param>
    /// <param name="random">Source of what the key does not decide.</param>
    public ValueSlice Choose(long key, SeededRandom random)
    {
        if (_values.IsVerified)
            return Of(key);
        int offset = _values.IsRandom ? (int)(random.Next() % Offsets) : 0;
        return new ValueSlice(offset, Size(key, _values.Range is null && _values.Weights is null ? 0 : random.Next()));
    }

    /// <summary>The value of a key where values are verified.</summary>
    public ValueSlice Of(long key)
    {
        ulong hash = SeededRandom.Mix((ulong)key + 0x9E3779B97F4A7C15);
        return new ValueSlice((int)(hash % Offsets), Size(key, SeededRandom.Mix(hash)));
    }

    /// <summary>The bytes of a value.</summary>
    public ReadOnlySpan<byte> Bytes(ValueSlice slice) => _bytes.AsSpan(slice.Offset, slice.Length);

    /// <summary>As <see cref="Bytes"/>, to be kept.</summary>
    public ReadOnlyMemory<byte> Memory(ValueSlice slice) => _bytes.AsMemory(slice.Offset, slice.Length);

    // The random bits are used as a fraction of 2^64.
    private int Size(long key, ulong random)
    {
        if (_values.Range is { } range)
        {
            int sizes = range.Largest - range.Smallest + 1;
            return _values.IsSizedByKey
                ? range.Smallest + (int)((Int128)(key - _keys.Minimum) * sizes / _keys.Count)
                : range.Smallest + (int)Math.BigMul(random, (ulong)sizes, out _);
        }

        return _values.Weights is { } weights ? Weighted(weights, (long)Math.BigMul(random, (ulong)_weightSum, out _)) : _values.Size;
    }

    private static int Weighted(IReadOnlyList<(int Size, int Weight)> weights, long drawn)
    {
        int i = 0;
        for (; drawn >= weights[i].Weight; i++)
            drawn -= weights[i].Weight;
        return weights[i].Size;
    }
}
