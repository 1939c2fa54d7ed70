// A channel with TLS over it. One thread.
using System.Security.Authentication;

namespace Garnet.Bench.Load;

/// <summary>
/// Drives the runtime's TLS from the event loop: its reads stay pending until the loop finds the socket readable, and what it writes is
/// kept by the channel below, so that a write never waits.
/// </summary>
internal sealed class TlsChannel(Stream tls, CipherChannel cipher) : ILoadChannel
{
    private readonly byte[] _plain = new byte[16 * 1024]; // a record of TLS
    private ValueTask<int>? _reading;
    private int _start;
    private int _end;

    /// <inheritdoc/>
    public bool IsBlocked => cipher.IsBlocked;

    /// <summary>As of the interface. Fills the buffer if it can: a short count means that a read is pending.</summary>
    public int Receive(Span<byte> buffer)
    {
        int taken = 0;
        while (taken < buffer.Length)
        {
            if (_start == _end && Read() is { } nothing)
                return taken > 0 ? taken : nothing;
            int part = Math.Min(buffer.Length - taken, _end - _start);
            _plain.AsSpan(_start, part).CopyTo(buffer[taken..]);
            _start += part;
            taken += part;
        }

        return taken;
    }

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        try
        {
            tls.Write(bytes);
        }
        catch (AuthenticationException e)
        {
            throw new IOException(e.Message, e);
        }
    }

    /// <inheritdoc/>
    public void Continue() => cipher.Continue();

    /// <inheritdoc/>
    public void Dispose() => tls.Dispose();

    // Null when there are bytes; else what Receive returns.
    private int? Read()
    {
        if (_reading is null)
            _reading = tls.ReadAsync(_plain);
        else
            cipher.ResumeRead();
        if (!_reading.Value.IsCompleted)
            return -1;
        ValueTask<int> read = _reading.Value;
        _reading = null;
        _start = _end = 0;
        // Completed: nothing is waited for.
        _end = read.AsTask().GetAwaiter().GetResult();
        return _end == 0 ? 0 : null;
    }
}
