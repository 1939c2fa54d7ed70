// ConcurrentDictionary<byte[], byte[]> in the comparison; looked up by span, so that reads allocate nothing.
using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;

namespace Garnet.Microbenchmarks;

/// <summary>ConcurrentDictionary with a span-aware comparer.</summary>
internal sealed class DictionaryContender(int keys) : IStoreContender
{
    private readonly ConcurrentDictionary<byte[], byte[]> _values = new(Environment.ProcessorCount, keys, new BytesComparer());

    /// <inheritdoc/>
    public IContenderSession Open() => new Session(_values);

    /// <inheritdoc/>
    public void Dispose() => _values.Clear();

    private sealed class Session(ConcurrentDictionary<byte[], byte[]> values) : IContenderSession
    {
        private readonly ConcurrentDictionary<byte[], byte[]>.AlternateLookup<ReadOnlySpan<byte>> _lookup = values.GetAlternateLookup<
            ReadOnlySpan<byte>
        >();

        public long Get(ReadOnlySpan<byte> key) =>
            _lookup.TryGetValue(key, out byte[]? value) ? BinaryPrimitives.ReadInt64LittleEndian(value) : -1;

        public void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) => _lookup[key] = value.ToArray();

        public void Increment(ReadOnlySpan<byte> key)
        {
            while (_lookup.TryGetValue(key, out byte[]? value))
            {
                byte[] changed = (byte[])value.Clone();
                BinaryPrimitives.WriteInt64LittleEndian(changed, BinaryPrimitives.ReadInt64LittleEndian(value) + 1);
                if (values.TryUpdate(key.ToArray(), changed, value))
                    return;
            }
        }

        public void Dispose() { }
    }

    private sealed class BytesComparer : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
    {
        public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();

        public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

        public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

        public int GetHashCode(ReadOnlySpan<byte> alternate)
        {
            HashCode hash = default;
            hash.AddBytes(alternate);
            return hash.ToHashCode();
        }

        public int GetHashCode([DisallowNull] byte[] bytes) => GetHashCode(bytes.AsSpan());
    }
}
