// FasterKV (Microsoft.FASTER.Core) in the comparison: byte strings in its hybrid log, entirely in memory.
using System.Buffers.Binary;
using System.Numerics;
using FASTER.core;

namespace Garnet.Microbenchmarks;

/// <summary>FasterKV with SpanByte keys and values.</summary>
internal sealed class FasterContender : IStoreContender
{
    private readonly FasterKV<SpanByte, SpanByte> _store;
    private readonly IDevice _device = new NullDevice();

    /// <summary>Creates a store whose index has one entry per expected key, and whose log is entirely in memory.</summary>
    public FasterContender(int keys)
    {
        LogSettings log = new()
        {
            LogDevice = _device,
            MemorySizeBits = 33,
            PageSizeBits = 22,
            MutableFraction = 0.9,
        };
        // The size must be a power of two; one bucket of seven entries for at most two keys.
        _store = new FasterKV<SpanByte, SpanByte>(Math.Max(1 << 16, (long)BitOperations.RoundUpToPowerOf2((uint)keys / 2)), log);
    }

    /// <inheritdoc/>
    public IContenderSession Open() => new Session(_store);

    /// <inheritdoc/>
    public void Dispose()
    {
        _store.Dispose();
        _device.Dispose();
    }

    private sealed unsafe class Session(FasterKV<SpanByte, SpanByte> store) : IContenderSession
    {
        private readonly ClientSession<SpanByte, SpanByte, SpanByte, long, Empty, Functions> _session = store
            .For(new Functions())
            .NewSession<Functions>();

        public long Get(ReadOnlySpan<byte> key)
        {
            fixed (byte* k = key)
            {
                var name = SpanByte.FromPointer(k, key.Length);
                SpanByte input = default;
                long output = 0;
                return _session.Read(ref name, ref input, ref output).Found ? output : -1;
            }
        }

        public void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
        {
            fixed (
                byte* k = key,
                    v = value
            )
            {
                var name = SpanByte.FromPointer(k, key.Length);
                var bytes = SpanByte.FromPointer(v, value.Length);
                _session.Upsert(ref name, ref bytes);
            }
        }

        public void Increment(ReadOnlySpan<byte> key)
        {
            fixed (byte* k = key)
            {
                var name = SpanByte.FromPointer(k, key.Length);
                SpanByte input = default;
                _session.RMW(ref name, ref input);
            }
        }

        public void Dispose() => _session.Dispose();
    }

    private sealed class Functions : SpanByteFunctions<SpanByte, long, Empty>
    {
        public override bool SingleReader(ref SpanByte key, ref SpanByte input, ref SpanByte value, ref long dst, ref ReadInfo readInfo)
        {
            dst = BinaryPrimitives.ReadInt64LittleEndian(value.AsReadOnlySpan());
            return true;
        }

        public override bool ConcurrentReader(
            ref SpanByte key,
            ref SpanByte input,
            ref SpanByte value,
            ref long dst,
            ref ReadInfo readInfo
        ) => SingleReader(ref key, ref input, ref value, ref dst, ref readInfo);

        public override bool InPlaceUpdater(ref SpanByte key, ref SpanByte input, ref SpanByte value, ref long output, ref RMWInfo rmwInfo)
        {
            Span<byte> bytes = value.AsSpan();
            BinaryPrimitives.WriteInt64LittleEndian(bytes, BinaryPrimitives.ReadInt64LittleEndian(bytes) + 1);
            return true;
        }

        public override bool CopyUpdater(
            ref SpanByte key,
            ref SpanByte input,
            ref SpanByte oldValue,
            ref SpanByte newValue,
            ref long output,
            ref RMWInfo rmwInfo
        )
        {
            oldValue.CopyTo(ref newValue);
            return InPlaceUpdater(ref key, ref input, ref newValue, ref output, ref rmwInfo);
        }
    }
}
