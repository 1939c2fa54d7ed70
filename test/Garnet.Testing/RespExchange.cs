// A minimal blocking connection that sends commands and returns raw replies. One thread at a time.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Garnet.Testing;

/// <summary>Sends requests and reads raw replies, with timeouts and independent of the product's code.</summary>
internal sealed class RespExchange : IDisposable
{
    private const int TimeoutMs = 120_000;

    private readonly Socket _socket;
    private byte[] _buffer = new byte[16 * 1024];
    private int _filled;

    private RespExchange(Socket socket) => _socket = socket;

    /// <summary>Connects over TCP or a Unix socket, depending on the endpoint.</summary>
    public static RespExchange Connect(EndPoint endpoint)
    {
        bool unix = endpoint is UnixDomainSocketEndPoint;
        var socket = new Socket(endpoint.AddressFamily, SocketType.Stream, unix ? ProtocolType.Unspecified : ProtocolType.Tcp)
        {
            ReceiveTimeout = TimeoutMs,
            SendTimeout = TimeoutMs,
        };
        if (!unix)
            socket.NoDelay = true;
        try
        {
            socket.Connect(endpoint);
        }
        catch
        {
            socket.Dispose();
            throw;
        }

        return new RespExchange(socket);
    }

    /// <summary>Encodes a command as an array of bulk strings.</summary>
    public static byte[] Encode(IReadOnlyList<byte[]> arguments)
    {
        using var request = new MemoryStream();
        Encode(request, arguments);
        return request.ToArray();
    }

    /// <summary>Appends an encoded command to a request.</summary>
    public static void Encode(Stream request, IReadOnlyList<byte[]> arguments)
    {
        request.Write(Encoding.ASCII.GetBytes($"*{arguments.Count}\r\n"));
        foreach (byte[] argument in arguments)
        {
            request.Write(Encoding.ASCII.GetBytes($"${argument.Length}\r\n"));
            request.Write(argument);
            request.Write("\r\n"u8);
        }
    }

    /// <summary>Sends raw bytes.</summary>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
            bytes = bytes[_socket.Send(bytes)..];
    }

    /// <summary>Shuts down the sending side of the connection.</summary>
    public void FinishSending() => _socket.Shutdown(SocketShutdown.Send);

    /// <summary>Sends one command (arguments as UTF-8) and returns its raw reply.</summary>
    public byte[]? Execute(params string[] arguments) => Execute([.. arguments.Select(Encoding.UTF8.GetBytes)]);

    /// <summary>Sends one command and returns its raw reply, or null if the server closed the connection.</summary>
    public byte[]? Execute(IReadOnlyList<byte[]> arguments)
    {
        return TrySend(Encode(arguments)) ? ReadReply() : null;
    }

    /// <summary>Sends raw bytes; false if the server had closed the connection.</summary>
    public bool TrySend(ReadOnlySpan<byte> bytes)
    {
        long start = Stopwatch.GetTimestamp();
        try
        {
            Send(bytes);
            return true;
        }
        catch (SocketException closed)
            when (IsClosed(closed)
                || (closed.SocketErrorCode == SocketError.TimedOut && Stopwatch.GetElapsedTime(start).TotalMilliseconds < TimeoutMs / 2)
            )
        {
            // The runtime also reports a timeout if the peer closes a Unix socket while the sender waits for buffer space.
            return false;
        }
    }

    /// <summary>As <see cref="Execute(string[])"/>, for replies without binary bytes.</summary>
    public string ExecuteText(params string[] arguments) =>
        Encoding.UTF8.GetString(Execute(arguments) ?? throw new IOException("The server closed the connection."));

    /// <summary>Reads one complete reply, or null if the server closed the connection before its first byte.</summary>
    /// <exception cref="IOException">The connection ended within a reply.</exception>
    public byte[]? ReadReply()
    {
        var framer = new RespFramer();
        int length = 0;
        while (_filled == 0 || !framer.TryMeasure(_buffer.AsSpan(0, _filled), out length))
        {
            if (_filled == _buffer.Length)
                Array.Resize(ref _buffer, _buffer.Length * 2);
            int received = Receive(_buffer.AsSpan(_filled));
            if (received == 0)
                return _filled == 0 ? null : throw new IOException("The connection ended inside a reply.");
            _filled += received;
        }

        byte[] reply = _buffer.AsSpan(0, length).ToArray();
        _filled -= length;
        _buffer.AsSpan(length, _filled).CopyTo(_buffer);
        return reply;
    }

    /// <summary>Closes the connection.</summary>
    public void Dispose() => _socket.Dispose();

    private int Receive(Span<byte> target)
    {
        try
        {
            return _socket.Receive(target);
        }
        catch (SocketException closed) when (IsClosed(closed))
        {
            return 0;
        }
    }

    // A peer that closes with unread bytes resets the connection; tests treat both as closed.
    private static bool IsClosed(SocketException exception) =>
        exception.SocketErrorCode is SocketError.ConnectionReset or SocketError.Shutdown or SocketError.ConnectionAborted;
}
