// The snapshot that a primary sends, as a stream that ends where the snapshot does. Read by one thread, blocking.
using System.Globalization;
using System.Text;

namespace Garnet.Server.Replication;

/// <summary>
/// Either <c>$length</c> and that many bytes, or <c>$EOF:mark</c> and bytes up to the mark of forty bytes, after which the primary sends
/// nothing until the snapshot is loaded. The last forty bytes received are held back, as they may be the mark.
/// </summary>
internal sealed class PayloadStream : Stream
{
    private const int MarkBytes = 40;
    private const string MarkPrefix = "$EOF:";

    // Reads of less than this go through a buffer; others receive where the caller wants the bytes.
    private const int MinDirectBytes = 16 * 1024;

    private readonly PrimaryConnection _connection;
    private readonly byte[]? _mark;
    private readonly byte[] _held = new byte[MinDirectBytes];
    private int _start;
    private int _end;
    private long _left;
    private bool _hasEnded;
    private long _received;

    private PayloadStream(PrimaryConnection connection, byte[]? mark, long length)
    {
        _connection = connection;
        _mark = mark;
        _left = length;
        TotalBytes = mark is null ? length : 0;
    }

    /// <summary>The announced length; 0 when it is not known.</summary>
    public long TotalBytes { get; }

    /// <summary>Bytes received so far.</summary>
    public long ReceivedBytes => Volatile.Read(ref _received);

    /// <summary>Whether all of it has been received.</summary>
    public bool HasEnded => _mark is null ? Volatile.Read(ref _left) == 0 : Volatile.Read(ref _hasEnded);

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Waits for the line that announces the snapshot.</summary>
    /// <exception cref="IOException">The primary announced something else, or the connection ended.</exception>
    public static async Task<PayloadStream> OpenAsync(PrimaryConnection connection, CancellationToken cancel)
    {
        string line = await connection.ReadLineAsync(cancel).ConfigureAwait(false);
        if (line.StartsWith(MarkPrefix, StringComparison.Ordinal) && line.Length == MarkPrefix.Length + MarkBytes)
            return new PayloadStream(connection, Encoding.Latin1.GetBytes(line[MarkPrefix.Length..]), 0);
        if (line.StartsWith('$') && long.TryParse(line[1..], NumberStyles.None, CultureInfo.InvariantCulture, out long length))
            return new PayloadStream(connection, null, length);
        throw new IOException($"it announced its snapshot with '{line}'");
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer) => _mark is null ? ReadCounted(buffer) : ReadToMark(buffer);

    /// <inheritdoc/>
    public override void Flush() { }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <summary>Reads what is left of the snapshot after its own end; an error when there is anything but the mark.</summary>
    public void Finish()
    {
        Span<byte> rest = stackalloc byte[1];
        if (Read(rest) != 0)
            throw new IOException("its snapshot is followed by bytes that do not belong to it");
    }

    private int ReadCounted(Span<byte> buffer)
    {
        if (_left == 0 || buffer.IsEmpty)
            return 0;
        int received = _connection.Read(buffer[..(int)Math.Min(buffer.Length, _left)]);
        if (received == 0)
            throw new EndOfStreamException("it closed the connection during its snapshot");
        _left -= received;
        Volatile.Write(ref _received, _received + received);
        return received;
    }

    private int ReadToMark(Span<byte> buffer) => buffer.Length < MinDirectBytes ? ReadHeld(buffer) : ReadDirectly(buffer);

    private int ReadHeld(Span<byte> buffer)
    {
        while (_end - _start <= MarkBytes && !IsAtMark())
        {
            Shift();
            _end += Receive(_held.AsSpan(_end));
        }

        int taken = Math.Min(Math.Max(_end - _start - MarkBytes, 0), buffer.Length);
        _held.AsSpan(_start, taken).CopyTo(buffer);
        _start += taken;
        return taken;
    }

    private int ReadDirectly(Span<byte> buffer)
    {
        while (!IsAtMark())
        {
            int count = _end - _start;
            _held.AsSpan(_start, count).CopyTo(buffer);
            if (count <= MarkBytes)
                count += Receive(buffer[count..]);
            int held = Math.Min(count, MarkBytes);
            buffer.Slice(count - held, held).CopyTo(_held);
            (_start, _end) = (0, held);
            if (count > held)
                return count - held;
        }

        return 0;
    }

    // Whether what is held back is all that follows, and the mark.
    private bool IsAtMark()
    {
        if (!_hasEnded && _end - _start == MarkBytes && _held.AsSpan(_start, MarkBytes).SequenceEqual(_mark))
            Volatile.Write(ref _hasEnded, true);
        return _hasEnded;
    }

    private void Shift()
    {
        _held.AsSpan(_start, _end - _start).CopyTo(_held);
        (_start, _end) = (0, _end - _start);
    }

    private int Receive(Span<byte> target)
    {
        int received = _connection.Read(target);
        if (received == 0)
            throw new EndOfStreamException("it closed the connection during its snapshot");
        Volatile.Write(ref _received, _received + received);
        return received;
    }
}
