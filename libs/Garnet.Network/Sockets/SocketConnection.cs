// A connection on a System.Net.Sockets socket. Readiness is detected by a zero-byte receive; what a full socket rejects is sent by an
// asynchronous send. Owner loop only, except the public members of its base and the completions, which only post to the owner.
using System.Net;
using System.Net.Sockets;
using Garnet.Network.Buffers;
using Garnet.Network.Connections;
using Garnet.Network.Loops;

namespace Garnet.Network.Sockets;

internal sealed unsafe class SocketConnection : StreamConnection
{
    private static readonly Action<object?> ReadableCallback = static c => ((SocketConnection)c!).OnReceiveCompleted();
    private static readonly Action<object?> Sent = static c => ((SocketConnection)c!).OnSendCompleted();

    private readonly Socket _socket;
    private readonly SocketAsyncEventArgs _receive;
    private SocketAsyncEventArgs? _send;
    private bool _receiving;
    private bool _sending;

    internal SocketConnection(LoopTransport transport, OwnerLoop owner, Socket socket, EndPoint? remote, EndPoint? local)
        : base(transport, owner)
    {
        _socket = socket;
        socket.Blocking = false;
        RemoteEndPoint = remote;
        LocalEndPoint = local;
        _receive = new SocketAsyncEventArgs(unsafeSuppressExecutionContextFlow: true);
        _receive.Completed += (_, _) => Post(ReadableCallback, this);
    }

    public override int Handle => _socket.SafeHandle.IsClosed ? -1 : (int)_socket.Handle;

    internal override bool MayReleaseOutput => !_sending;

    private protected override bool IsQuiet => !_sending && !_receiving;

    // The end of the stream shows only when nothing before it is unread.
    private protected override bool AsksForPeer()
    {
        try
        {
            return _socket.Poll(0, SelectMode.SelectRead) && _socket.Available == 0;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return true;
        }
    }

    internal override int Receive(byte* destination, int length)
    {
        int received = _socket.Receive(new Span<byte>(destination, length), SocketFlags.None, out SocketError error);
        if (error != SocketError.Success)
        {
            Readable = false;
            return error == SocketError.WouldBlock ? WouldBlock : Failed;
        }
        if (received > 0 && received < length)
            Readable = false;
        Owner.Counters.Reads++;
        Owner.Counters.BytesIn += received;
        return received;
    }

    internal override long Send(byte* source, long length)
    {
        if (_sending)
            return WouldBlock;
        int sent = _socket.Send(new ReadOnlySpan<byte>(source, (int)length), SocketFlags.None, out SocketError error);
        return Count(sent, error);
    }

    // One block per call: gathering would need managed lists, and the portable transport need not be the fastest.
    internal override long Send(Block chain, long budget, out long offered)
    {
        Block block = chain;
        while (block.Start == block.End && block.Next is not null)
            block = block.Next;
        offered = Math.Min(block.End - block.Start, budget);
        return offered == 0 ? 0 : Send(block.Pointer + block.Start, offered);
    }

    internal override void WantReadable()
    {
        if (_receiving || IsClosed)
            return;
        _receiving = true;
        if (!_socket.ReceiveAsync(_receive))
            Post(ReadableCallback, this);
    }

    internal override void WantWritable()
    {
        if (_sending || Writer.Head is not { } head)
            return;
        _send ??= MakeSend();
        _sending = true;
        int length = (int)Math.Min(head.End - head.Start, Owner.Options.SendBytesPerTurn);
        _send.SetBuffer(head.Slice((int)head.Start, length));
        if (!_socket.SendAsync(_send))
            Post(Sent, this);
    }

    /// <summary>The loop owns it now. The end of the stream must be noticed even while no session reads.</summary>
    internal void OnWatched()
    {
        if (!Readable)
            WantReadable();
    }

    // Disposing a socket with pending operations resets the connection and loses replies that are still in the kernel. So it is shut down
    // first; this completes the operations, and the last one disposes.
    private protected override void CloseSocket()
    {
        if (!IsQuiet && TryShutdown())
            return;
        _socket.Dispose();
    }

    private bool TryShutdown()
    {
        try
        {
            _socket.Shutdown(SocketShutdown.Both);
            return true;
        }
        catch (SocketException)
        {
            return false; // the peer has reset it
        }
    }

    private void OnCompletedAfterClose()
    {
        if (IsQuiet)
            _socket.Dispose();
        if (!_sending)
            Writer.Discard();
        CompleteOutput();
    }

    private SocketAsyncEventArgs MakeSend()
    {
        var send = new SocketAsyncEventArgs(unsafeSuppressExecutionContextFlow: true);
        send.Completed += (_, _) => Post(Sent, this);
        return send;
    }

    private void OnReceiveCompleted()
    {
        _receiving = false;
        if (IsClosed)
            OnCompletedAfterClose();
        else
            OnReadable();
    }

    private void OnSendCompleted()
    {
        _sending = false;
        if (IsClosed)
        {
            OnCompletedAfterClose();
        }
        else if (_send!.SocketError != SocketError.Success)
        {
            Close();
        }
        else
        {
            Count(_send.BytesTransferred, SocketError.Success);
            Writer.OnSent(_send.BytesTransferred);
            CompleteOutput();
        }
    }

    private long Count(int sent, SocketError error)
    {
        if (error != SocketError.Success)
            return error is SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable ? WouldBlock : Failed;
        Owner.Counters.Writes++;
        Owner.Counters.BytesOut += sent;
        return sent;
    }
}
