// Memory for one string that cannot be used in place. One owner, one thread.
using System.Buffers.Text;

namespace Garnet.Persistence.Rdb;

/// <summary>A growing array that is reused; it grows as bytes arrive, never by a declared length alone.</summary>
internal sealed class RdbScratch
{
    private const int KeptBytes = 256 * 1024;
    private byte[] _bytes = new byte[256];

    /// <summary>The bytes in use.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, Length);

    /// <summary>Number of bytes in use.</summary>
    public int Length { get; private set; }

    /// <summary>Clears the content; releases a large array.</summary>
    public void Clear()
    {
        Length = 0;
        if (_bytes.Length > KeptBytes)
            _bytes = new byte[KeptBytes];
    }

    /// <summary>Adds bytes.</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Reserve(bytes.Length));
        Length += bytes.Length;
    }

    /// <summary>Replaces the content with the text of a number.</summary>
    public ReadOnlySpan<byte> SetInteger(long value)
    {
        Clear();
        Utf8Formatter.TryFormat(value, Reserve(20), out int length);
        Length = length;
        return Written;
    }

    /// <summary>Sets the length, for the caller to fill.</summary>
    public Span<byte> SetLength(int length)
    {
        Clear();
        Reserve(length);
        Length = length;
        return _bytes.AsSpan(0, length);
    }

    private Span<byte> Reserve(int bytes)
    {
        if (bytes > _bytes.Length - Length)
        {
            long wanted = Math.Max((long)Length + bytes, Math.Min(_bytes.Length * 2L, Array.MaxLength));
            Array.Resize(ref _bytes, checked((int)wanted));
        }

        return _bytes.AsSpan(Length);
    }
}
