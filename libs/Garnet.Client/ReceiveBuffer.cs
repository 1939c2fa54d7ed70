// The bytes that a connection has received and not used yet. One thread at a time.
namespace Garnet.Client;

/// <summary>Grows with the bytes received, never by a length that the peer declared; gives back what only a large reply needed.</summary>
/// <param name="minBytes">The size to begin with, and to go back to.</param>
internal sealed class ReceiveBuffer(int minBytes)
{
    private const int MaxKeptMultiple = 64;

    private byte[] _bytes = new byte[minBytes];
    private int _start;
    private int _end;

    /// <summary>Whether all bytes have been used.</summary>
    public bool IsEmpty => _start == _end;

    /// <summary>Bytes of memory that it has.</summary>
    public int Capacity => _bytes.Length;

    /// <summary>All that is still held, from the first byte of the last read or before.</summary>
    public ReadOnlySpan<byte> Held => _bytes.AsSpan(0, _end);

    /// <summary>The next reply, if all of it is here.</summary>
    /// <exception cref="RespProtocolException">The bytes are not a reply, or exceed a limit.</exception>
    public RespValue? TryTake(ReplyParser parser)
    {
        if (IsEmpty)
            return null;
        RespValue? reply = parser.Parse(_bytes.AsSpan(0, _end), ref _start);
        // At once: the connection may be idle from now on.
        if (IsEmpty)
            GiveBack();
        return reply;
    }

    /// <summary>Takes bytes as they are.</summary>
    /// <returns>How many.</returns>
    public int Take(Span<byte> destination)
    {
        int length = Math.Min(destination.Length, _end - _start);
        _bytes.AsSpan(_start, length).CopyTo(destination);
        _start += length;
        return length;
    }

    /// <summary>Space for what is received next; not empty. What was taken before is gone.</summary>
    public Memory<byte> Space()
    {
        if (IsEmpty)
        {
            _start = _end = 0;
            GiveBack();
        }
        else if (_end == _bytes.Length)
        {
            byte[] target = _start > _bytes.Length / 2 ? _bytes : new byte[(int)Math.Min(_bytes.Length * 2L, Array.MaxLength)];
            _bytes.AsSpan(_start, _end - _start).CopyTo(target);
            _bytes = target;
            _end -= _start;
            _start = 0;
        }

        return _bytes.AsMemory(_end);
    }

    /// <summary>The first bytes of <see cref="Space"/> have been received.</summary>
    public void Add(int count) => _end += count;

    /// <summary>Goes back to the first size if all bytes have been used, for a connection that may be idle now.</summary>
    public void Trim()
    {
        if (!IsEmpty || _bytes.Length == minBytes)
            return;
        _bytes = new byte[minBytes];
        _start = _end = 0;
    }

    private void GiveBack()
    {
        if (_bytes.Length / MaxKeptMultiple > minBytes)
            Trim();
    }
}
