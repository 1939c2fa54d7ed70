// A connection to a primary: a buffer of what was received, and requests. One task reads; sending is allowed to any.
using System.Globalization;
using System.Text;
using Garnet.Engine.Clients;
using Garnet.Persistence.AppendLog;
using Garnet.Server.Persistence;

namespace Garnet.Server.Replication;

/// <summary>Reads lines, raw bytes and the stream from one buffer, in this order, so that nothing received is lost in between.</summary>
internal sealed class PrimaryConnection(ServerClock clock, ServerReplication replication, ServerPersistence persistence, Stream stream)
    : IDisposable
{
    // Lines are short; what is longer is no answer of a primary.
    private const int MaxLineBytes = 4096;
    private const int MinReceiveBytes = 64 * 1024;

    // The buffer grows to this while there is always more than it holds: each read costs a change of threads.
    private const int MaxReceiveBytes = 1 << 20;

    private readonly SemaphoreSlim _sending = new(1);
    private byte[] _buffer = new byte[MinReceiveBytes];
    private int _start;
    private int _end;
    private bool _isBusy;
    private int _receiveBytes = MinReceiveBytes;
    private bool _hasApplied;
    private long _freshAtMs;
    private long _heardAtMs = clock.SteadyMs;

    /// <summary>Milliseconds of the steady clock of the last bytes received.</summary>
    public long HeardAtMs => Volatile.Read(ref _heardAtMs);

    /// <summary>
    /// Milliseconds of the steady clock of the last time at which everything that the primary had sent was received and applied; 0 when it
    /// never was.
    /// </summary>
    public long FreshAtMs => Volatile.Read(ref _freshAtMs);

    /// <summary>What is received and not consumed.</summary>
    public ReadOnlyMemory<byte> Unread => _buffer.AsMemory(_start, _end - _start);

    /// <summary>Whether the task that reads is busy with what was received; the primary cannot be heard meanwhile.</summary>
    public bool IsBusy => Volatile.Read(ref _isBusy);

    /// <summary>Until <see cref="EndWork"/> the primary does not count as silent.</summary>
    public void BeginWork() => Volatile.Write(ref _isBusy, true);

    /// <summary>The task is going to read again.</summary>
    public void EndWork()
    {
        OnHeard();
        Volatile.Write(ref _isBusy, false);
    }

    /// <summary>The primary counts as heard now.</summary>
    public void OnHeard() => Volatile.Write(ref _heardAtMs, clock.SteadyMs);

    /// <summary>Consumes bytes.</summary>
    public void Consume(int count) => _start += count;

    /// <summary>Consumes bytes of the stream, which are applied.</summary>
    public void ConsumeApplied(int count)
    {
        Consume(count);
        _hasApplied |= count > 0;
    }

    /// <summary>
    /// Waits for more of the stream; false at the end of the connection. If there is nothing to be read at once, and everything before is
    /// applied, the data is that of the primary now.
    /// </summary>
    public async ValueTask<bool> ReceiveStreamAsync(CancellationToken cancel)
    {
        MakeRoom(Array.MaxLength);
        ValueTask<int> reading = stream.ReadAsync(_buffer.AsMemory(_end), cancel);
        if (!reading.IsCompleted && _hasApplied && _start == _end)
            Volatile.Write(ref _freshAtMs, clock.SteadyMs);
        return OnReceived(await reading.ConfigureAwait(false));
    }

    /// <summary>Waits for more bytes; false at the end of the connection. What is unread may move.</summary>
    /// <param name="most">The most bytes that may be unread.</param>
    /// <param name="cancel">Cancels the wait.</param>
    public async ValueTask<bool> ReceiveAsync(int most, CancellationToken cancel)
    {
        MakeRoom(most);
        return OnReceived(await stream.ReadAsync(_buffer.AsMemory(_end), cancel).ConfigureAwait(false));
    }

    /// <summary>Reads some bytes into a buffer, blocking the thread; 0 at the end of the connection.</summary>
    public int Read(Span<byte> target)
    {
        int available = _end - _start;
        if (available > 0)
        {
            int taken = Math.Min(available, target.Length);
            _buffer.AsSpan(_start, taken).CopyTo(target);
            _start += taken;
            return taken;
        }

        int received = stream.Read(target);
        OnHeard();
        replication.CountReceived(received);
        return received;
    }

    /// <summary>Reads a line without its end; empty lines before it keep the connection alive and are skipped.</summary>
    /// <exception cref="IOException">The connection ended, or the line is too long.</exception>
    public async Task<string> ReadLineAsync(CancellationToken cancel)
    {
        while (true)
        {
            int length = Unread.Span.IndexOf((byte)'\n');
            if (length > MaxLineBytes || (length < 0 && Unread.Length > MaxLineBytes))
                throw new IOException("its answer is too long");
            if (length < 0)
            {
                if (!await ReceiveAsync(2 * MinReceiveBytes, cancel).ConfigureAwait(false))
                    throw new EndOfStreamException("it closed the connection");
                continue;
            }

            string line = Encoding.Latin1.GetString(Unread.Span[..length]).TrimEnd('\r');
            Consume(length + 1);
            if (line.Length > 0)
                return line;
        }
    }

    /// <summary>Sends a request.</summary>
    public Task SendAsync(CancellationToken cancel, params string[] arguments)
    {
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"*{arguments.Length}\r\n");
        foreach (string argument in arguments)
            text.Append(CultureInfo.InvariantCulture, $"${Encoding.UTF8.GetByteCount(argument)}\r\n{argument}\r\n");
        return SendRawAsync(Encoding.UTF8.GetBytes(text.ToString()), cancel);
    }

    /// <summary>Sends bytes.</summary>
    public async Task SendRawAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancel)
    {
        await _sending.WaitAsync(cancel).ConfigureAwait(false);
        try
        {
            await stream.WriteAsync(bytes, cancel).ConfigureAwait(false);
            await stream.FlushAsync(cancel).ConfigureAwait(false);
        }
        finally
        {
            _sending.Release();
        }
    }

    /// <summary>Acknowledges what is applied, and what of it is durable in the append-only log.</summary>
    public Task AcknowledgeAsync(CancellationToken cancel)
    {
        // Read first: everything before this position is in the log too.
        string position = replication.Effects.Stream.Position.ToString(CultureInfo.InvariantCulture);
        return persistence.AppendOnly.Log is { } log
            ? AcknowledgeAsync(position, log, cancel)
            : SendAsync(cancel, "REPLCONF", "ACK", position);
    }

    /// <summary>Ends the connection from any thread: a pending read fails.</summary>
    public void Close() => stream.Dispose();

    /// <inheritdoc/>
    public void Dispose()
    {
        stream.Dispose();
        _sending.Dispose();
    }

    private Task AcknowledgeAsync(string position, AppendOnlyLog log, CancellationToken cancel)
    {
        long durable = replication.Effects.Stream.Position - (log.Appended - log.Durable);
        return SendAsync(cancel, "REPLCONF", "ACK", position, "FACK", durable.ToString(CultureInfo.InvariantCulture));
    }

    private bool OnReceived(int received)
    {
        if (received == _buffer.Length - _end)
            _receiveBytes = Math.Min(_receiveBytes * 2, MaxReceiveBytes);
        _end += received;
        replication.CountReceived(received);
        OnHeard();
        return received > 0;
    }

    private void MakeRoom(int most)
    {
        int unread = _end - _start;
        if (unread >= most)
            throw new IOException($"it sent a command of more than {most} bytes");
        if (unread == 0)
        {
            (_start, _end) = (0, 0);
            if (_buffer.Length > MaxReceiveBytes)
                _buffer = new byte[_receiveBytes];
        }

        if (_buffer.Length - _end >= _receiveBytes / 2)
            return;
        // Grows with the bytes received, never by a length that was only announced.
        byte[] target = unread <= _buffer.Length / 2 && _buffer.Length >= _receiveBytes ? _buffer : new byte[Larger()];
        _buffer.AsSpan(_start, unread).CopyTo(target);
        _buffer = target;
        (_start, _end) = (0, unread);
    }

    private int Larger() => (int)Math.Max(_receiveBytes, Math.Min(_buffer.Length * 2L, Array.MaxLength));
}
