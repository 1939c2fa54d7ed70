// One connection to a server, with blocking calls. One thread; Abort from any.
using System.Net.Sockets;
using Garnet.Cli.Options;
using Garnet.Client;
using Garnet.Protocol;

namespace Garnet.Cli.Connection;

/// <summary>Sends requests and reads replies in order.</summary>
internal sealed class CliConnection : IDisposable
{
    private const int MinReceiveBytes = 16 * 1024;

    private readonly Stream _stream;
    private readonly ReplyParser _parser = new();
    private readonly ReplyBuffer _outgoing = new();
    private readonly ReceiveBuffer _incoming = new(MinReceiveBytes);
    private Task<int>? _receiving;
    private volatile bool _isAborted;

    /// <summary>A connection on a stream, which it owns.</summary>
    public CliConnection(Stream stream) => _stream = stream;

    /// <summary>Connects.</summary>
    /// <exception cref="ConnectionLostException">It is not possible.</exception>
    public static CliConnection Open(ConnectionOptions options) => new(ServerSocket.Open(options));

    /// <summary>Whether <see cref="Abort"/> was called.</summary>
    public bool IsAborted => _isAborted;

    /// <summary>Whether the bytes of a reply are there without waiting.</summary>
    public bool HasBytes => !_incoming.IsEmpty;

    /// <summary>Sends a request and reads its reply; messages that are no replies are dropped.</summary>
    public RespValue Call(params ReadOnlySpan<string> arguments)
    {
        Append(arguments);
        Flush();
        return ReadAnswer();
    }

    /// <summary>As the other overload, for arguments of any bytes.</summary>
    public RespValue Call(ReadOnlySpan<byte[]> arguments)
    {
        Append(arguments);
        Flush();
        return ReadAnswer();
    }

    /// <summary>Reads the next reply that is no push message.</summary>
    public RespValue ReadAnswer()
    {
        while (true)
        {
            RespValue reply = Read();
            if (reply.Kind != RespKind.Push)
                return reply;
        }
    }

    /// <summary>Adds a request to those that <see cref="Flush"/> sends.</summary>
    public void Append(params ReadOnlySpan<string> arguments)
    {
        var writer = new RespWriter(_outgoing, 2);
        writer.WriteArray(arguments.Length);
        foreach (string argument in arguments)
            writer.WriteBulk(argument);
        writer.Complete();
    }

    /// <summary>As the other overload, for arguments of any bytes.</summary>
    public void Append(ReadOnlySpan<byte[]> arguments)
    {
        var writer = new RespWriter(_outgoing, 2);
        writer.WriteArray(arguments.Length);
        foreach (byte[] argument in arguments)
            writer.WriteBulk(argument);
        writer.Complete();
    }

    /// <summary>Sends what was appended.</summary>
    public void Flush()
    {
        Send(_outgoing.WrittenMemory.Span);
        _outgoing.Clear();
    }

    /// <summary>Sends bytes as they are.</summary>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        try
        {
            _stream.Write(bytes);
            _stream.Flush();
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            throw Lost(e);
        }
    }

    /// <summary>Reads the next reply, which may be an error or a push message.</summary>
    /// <exception cref="ConnectionLostException">The connection ended, or the bytes are no reply.</exception>
    public RespValue Read()
    {
        while (true)
        {
            if (TryTake() is { } reply)
                return reply;
            Receive();
        }
    }

    /// <summary>The next reply if it has arrived completely; reads no further bytes.</summary>
    public RespValue? TryTake()
    {
        try
        {
            return _incoming.TryTake(_parser);
        }
        catch (RespProtocolException e)
        {
            throw new ConnectionLostException(Explain(e), canReconnect: false);
        }
    }

    /// <summary>Begins to wait for bytes, which <see cref="Receive"/> then takes; a wait that has begun goes on.</summary>
    /// <returns>Ends when bytes are there, or the connection has ended.</returns>
    public Task BeginReceive() => _receiving ??= _stream.ReadAsync(_incoming.Space()).AsTask();

    /// <summary>Waits for bytes.</summary>
    /// <exception cref="ConnectionLostException">The connection ended.</exception>
    public void Receive()
    {
        try
        {
            int received = _receiving is null ? _stream.Read(_incoming.Space().Span) : _receiving.GetAwaiter().GetResult();
            _receiving = null;
            if (received == 0)
                throw new ConnectionLostException("Server closed the connection", canReconnect: true);
            _incoming.Add(received);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            throw Lost(e);
        }
    }

    /// <summary>Reads bytes as they are; 0 at the end. Only between replies.</summary>
    public int ReadRaw(Span<byte> buffer)
    {
        if (_incoming.IsEmpty)
            Receive();
        return _incoming.Take(buffer);
    }

    /// <summary>Ends the connection; the thread that waits for a reply gets an exception.</summary>
    public void Abort()
    {
        _isAborted = true;
        _stream.Dispose();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stream.Dispose();
        _outgoing.Dispose();
    }

    private static ConnectionLostException Lost(Exception cause) =>
        new(cause.InnerException is SocketException socket ? socket.Message : cause.Message, canReconnect: true);

    private string Explain(RespProtocolException problem)
    {
        ReadOnlySpan<byte> first = _incoming.Held;
        if (first.StartsWith("HTTP/"u8))
            return "Protocol error: the server speaks HTTP, not RESP; check host and port";
        if (first.StartsWith((ReadOnlySpan<byte>)[0x15, 0x03]))
            return "Protocol error: the server speaks TLS; connect with --tls";
        return $"Protocol error: {problem.Message}";
    }
}
