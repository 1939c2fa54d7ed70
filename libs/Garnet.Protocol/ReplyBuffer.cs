// A pooled, growable output for replies whose header is known last. Owned by one command at a time.
using System.Buffers;

namespace Garnet.Protocol;

/// <summary>
/// Collects replies separately, for example the elements of an array whose count is known only at the end: write them with a
/// <see cref="RespWriter"/> to this buffer, then the header and <see cref="Written"/> to the connection. Reusable after
/// <see cref="Clear"/>; returns its array to the pool when disposed.
/// </summary>
internal sealed class ReplyBuffer : IBufferWriter<byte>, IDisposable
{
    private const int MinBytes = 1024;
    private byte[] _bytes = [];
    private int _used;

    /// <summary>The bytes written; valid until the next write.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _used);

    /// <summary>As <see cref="Written"/>, for a stream.</summary>
    public ReadOnlyMemory<byte> WrittenMemory => _bytes.AsMemory(0, _used);

    /// <summary>Bytes of memory that it has.</summary>
    public int Capacity => _bytes.Length;

    /// <summary>Clears the content and keeps the memory.</summary>
    public void Clear() => _used = 0;

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)(_bytes.Length - _used), nameof(count));
        _used += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsMemory(_used);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsSpan(_used);
    }

    /// <summary>Returns the memory to the pool; usable again afterwards.</summary>
    public void Dispose()
    {
        if (_bytes.Length != 0)
            ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = [];
        _used = 0;
    }

    private void Reserve(int sizeHint)
    {
        int needed = checked(_used + Math.Max(sizeHint, 1));
        if (needed <= _bytes.Length)
            return;
        long doubled = Math.Min(_bytes.Length * 2L, Array.MaxLength);
        byte[] larger = ArrayPool<byte>.Shared.Rent((int)Math.Max(Math.Max(needed, doubled), MinBytes));
        Written.CopyTo(larger);
        if (_bytes.Length != 0)
            ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }
}
