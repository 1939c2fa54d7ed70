// A growing output buffer that releases large memory again. One owner, one thread.
using System.Buffers;

namespace Garnet.Persistence.Rdb;

/// <summary>Collects a writer's output.</summary>
internal sealed class RdbPayloadBuffer : IBufferWriter<byte>
{
    private const int InitialBytes = 1024;
    private byte[] _bytes = new byte[InitialBytes];
    private int _length;

    /// <summary>The bytes written since <see cref="Clear"/>.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _length);

    /// <summary>Discards the content; an array above this size is released.</summary>
    public void Clear(int keptBytes)
    {
        _length = 0;
        if (_bytes.Length > keptBytes)
            _bytes = new byte[InitialBytes];
    }

    /// <inheritdoc/>
    public void Advance(int count) => _length += count;

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsMemory(_length);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsSpan(_length);
    }

    private void Reserve(int bytes)
    {
        bytes = Math.Max(bytes, 1);
        if (bytes > _bytes.Length - _length)
            Array.Resize(ref _bytes, checked((int)Math.Max((long)_length + bytes, Math.Min(_bytes.Length * 2L, Array.MaxLength))));
    }
}
