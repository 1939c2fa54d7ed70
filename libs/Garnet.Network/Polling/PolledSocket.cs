// A connected socket that never blocks. One thread at a time.
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Garnet.Network.Epoll;

namespace Garnet.Network.Polling;

/// <summary>
/// Receives and sends what is possible at once. Linux is called directly: for small messages the runtime's bookkeeping costs a fifth of
/// the call.
/// </summary>
internal sealed class PolledSocket : IDisposable
{
    /// <summary>Returned where nothing can be received or sent now.</summary>
    public const int WouldBlock = -1;

    private const int BrokenPipe = 32; // EPIPE
    private const int ConnectionReset = 104; // ECONNRESET

    private readonly int _descriptor;

    /// <summary>Takes over a connected socket.</summary>
    public PolledSocket(Socket socket)
    {
        Socket = socket;
        socket.Blocking = false;
        _descriptor = (int)socket.Handle;
    }

    /// <summary>The socket itself.</summary>
    public Socket Socket { get; }

    /// <summary>Receives into the buffer, which is not empty.</summary>
    /// <returns>The number of bytes, 0 at the end of the stream, or <see cref="WouldBlock"/>.</returns>
    /// <exception cref="SocketException">The connection is broken.</exception>
    public int Receive(Span<byte> buffer)
    {
        if (OperatingSystem.IsLinux())
            return ReceiveDirectly(buffer);
        int received = Socket.Receive(buffer, SocketFlags.None, out SocketError error);
        return error == SocketError.Success ? received : Failed(error);
    }

    /// <summary>Sends from the buffer, which is not empty.</summary>
    /// <returns>The number of bytes taken, or <see cref="WouldBlock"/>.</returns>
    /// <exception cref="SocketException">The connection is broken.</exception>
    public int Send(ReadOnlySpan<byte> buffer)
    {
        if (OperatingSystem.IsLinux())
            return SendDirectly(buffer);
        int sent = Socket.Send(buffer, SocketFlags.None, out SocketError error);
        return error == SocketError.Success ? sent : Failed(error);
    }

    /// <summary>Closes the connection.</summary>
    public void Dispose() => Socket.Dispose();

    private static int Failed(SocketError error) =>
        error is SocketError.WouldBlock or SocketError.TryAgain or SocketError.NoBufferSpaceAvailable
            ? WouldBlock
            : throw new SocketException((int)error);

    private unsafe int ReceiveDirectly(Span<byte> buffer)
    {
        fixed (byte* destination = buffer)
        {
            while (true)
            {
                nint received = LinuxCalls.Receive(_descriptor, destination, (nuint)buffer.Length, 0);
                if (received >= 0)
                    return (int)received;
                if (IsRetried(Marshal.GetLastSystemError()) is { } result)
                    return result;
            }
        }
    }

    private unsafe int SendDirectly(ReadOnlySpan<byte> buffer)
    {
        fixed (byte* source = buffer)
        {
            while (true)
            {
                nint sent = LinuxCalls.Send(_descriptor, source, (nuint)buffer.Length, LinuxCalls.NoSignal);
                if (sent >= 0)
                    return (int)sent;
                if (IsRetried(Marshal.GetLastSystemError()) is { } result)
                    return result;
            }
        }
    }

    // Null: the call is repeated.
    private static int? IsRetried(int error) =>
        error switch
        {
            LinuxCalls.Interrupted => null,
            LinuxCalls.TryAgain => WouldBlock,
            ConnectionReset => throw new SocketException((int)SocketError.ConnectionReset),
            BrokenPipe => throw new SocketException((int)SocketError.Shutdown),
            _ => throw new SocketException((int)SocketError.SocketError, $"errno {error}"),
        };
}
