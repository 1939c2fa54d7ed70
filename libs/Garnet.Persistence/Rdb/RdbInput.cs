// A buffer over a file or connection, with the checksum of the bytes consumed. One thread.
namespace Garnet.Persistence.Rdb;

/// <summary>
/// Bytes of a stream, one window at a time. The buffer can be handed to another thread and replaced, so that its content need not be
/// copied.
/// </summary>
internal sealed class RdbInput(Stream stream, byte[] buffer, long length)
{
    private long _origin;
    private int _hashed;
    private ulong _checksum;

    /// <summary>The buffer; bytes from <see cref="Position"/> to <see cref="End"/> are unread.</summary>
    public byte[] Buffer { get; private set; } = buffer;

    /// <summary>Index of the next unread byte.</summary>
    public int Position { get; set; }

    /// <summary>Index after the last byte received.</summary>
    public int End { get; private set; }

    /// <summary>True when the stream has no bytes beyond the buffer.</summary>
    public bool IsExhausted { get; private set; }

    /// <summary>Bytes of the stream before <see cref="Position"/>.</summary>
    public long Offset => _origin + Position;

    /// <summary>Bytes of the stream before the buffer's first.</summary>
    public long Origin => _origin;

    /// <summary>Bytes from <see cref="Position"/> to the stream's end, or the maximum value when that is unknown.</summary>
    public long Remaining =>
        IsExhausted ? End - Position
        : length >= 0 ? Math.Max(length - Offset, End - Position)
        : long.MaxValue;

    /// <summary>Whether the checksum of consumed bytes is computed.</summary>
    public bool IsHashing { get; set; } = true;

    /// <summary>Checksum of the bytes before <see cref="Position"/>.</summary>
    public ulong Checksum
    {
        get
        {
            Hash();
            return _checksum;
        }
    }

    /// <summary>
    /// Moves the unread bytes to the front and receives until the buffer holds <paramref name="least"/> bytes; false when the stream ends
    /// first.
    /// </summary>
    public bool Fill(int least)
    {
        Hash();
        Replace(Buffer);
        while (End < least && !IsExhausted)
            Receive();
        return End >= least;
    }

    /// <summary>As <see cref="Fill(int)"/>, until the buffer is full or the stream ends.</summary>
    public void FillAll() => Fill(Buffer.Length);

    /// <summary>Hands the buffer to the caller and replaces it; unread bytes are copied to the front of the new one.</summary>
    public byte[] Exchange(byte[] next)
    {
        Hash();
        byte[] filled = Buffer;
        Replace(next);
        return filled;
    }

    private void Receive()
    {
        int received = stream.Read(Buffer, End, Buffer.Length - End);
        End += received;
        IsExhausted = received == 0;
    }

    private void Replace(byte[] next)
    {
        int unread = End - Position;
        System.Buffer.BlockCopy(Buffer, Position, next, 0, unread);
        _origin += Position;
        Buffer = next;
        Position = 0;
        _hashed = 0;
        End = unread;
    }

    private void Hash()
    {
        if (IsHashing && _hashed < Position)
            _checksum = Crc64.Append(_checksum, Buffer.AsSpan(_hashed, Position - _hashed));
        _hashed = Position;
    }
}
