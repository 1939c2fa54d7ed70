// A channel on a socket. One thread.
using System.Net.Sockets;
using Garnet.Network.Polling;

namespace Garnet.Bench.Load;

/// <summary>Keeps the bytes that the socket does not take, and asks the poller for its readiness only while there are some.</summary>
internal sealed class PlainChannel(PolledSocket socket, SocketPoller poller, int id) : ILoadChannel
{
    private byte[] _kept = [];
    private int _keptStart;
    private int _keptEnd;

    /// <inheritdoc/>
    public bool IsBlocked => _keptEnd > _keptStart;

    /// <inheritdoc/>
    public int Receive(Span<byte> buffer)
    {
        try
        {
            return socket.Receive(buffer);
        }
        catch (SocketException e)
        {
            throw new IOException(e.Message, e);
        }
    }

    /// <inheritdoc/>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        if (!IsBlocked)
            bytes = bytes[SendNow(bytes)..];
        if (bytes.IsEmpty)
            return;
        if (!IsBlocked)
            poller.SetWantsWrite(socket, id, wanted: true);
        Keep(bytes);
    }

    /// <inheritdoc/>
    public void Continue()
    {
        if (!IsBlocked)
            return;
        _keptStart += SendNow(_kept.AsSpan(_keptStart, _keptEnd - _keptStart));
        if (IsBlocked)
            return;
        _keptStart = _keptEnd = 0;
        poller.SetWantsWrite(socket, id, wanted: false);
    }

    /// <inheritdoc/>
    public void Dispose() => socket.Dispose();

    private int SendNow(ReadOnlySpan<byte> bytes)
    {
        int sent = 0;
        try
        {
            while (sent < bytes.Length && socket.Send(bytes[sent..]) is var taken and not PolledSocket.WouldBlock)
                sent += taken;
        }
        catch (SocketException e)
        {
            throw new IOException(e.Message, e);
        }

        return sent;
    }

    private void Keep(ReadOnlySpan<byte> bytes)
    {
        if (_keptEnd + bytes.Length > _kept.Length)
        {
            byte[] larger = new byte[Math.Max(_keptEnd - _keptStart + bytes.Length, Math.Min(_kept.Length * 2L, Array.MaxLength))];
            _kept.AsSpan(_keptStart, _keptEnd - _keptStart).CopyTo(larger);
            _keptEnd -= _keptStart;
            _keptStart = 0;
            _kept = larger;
        }

        bytes.CopyTo(_kept.AsSpan(_keptEnd));
        _keptEnd += bytes.Length;
    }
}
