// A connection to a RESP server. One caller at a time.
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.Protocol;

namespace Garnet.Client;

/// <summary>
/// Sends requests and reads replies in order. <see cref="CallAsync(string[])"/> does both; for pipelines send several times and read as
/// often. Not for concurrent use. After an exception other than <see cref="GarnetCommandException"/> the connection is of no further use.
/// </summary>
public sealed class RespClient : IAsyncDisposable, IDisposable
{
    private const int MinReceiveBytes = 16 * 1024;

    private readonly Stream _stream;
    private readonly ReplyParser _parser;
    private readonly ReplyBuffer _outgoing = new();
    private readonly ReceiveBuffer _incoming = new(MinReceiveBytes);

    /// <summary>A client on a connected stream, which it owns.</summary>
    public RespClient(Stream stream)
        : this(stream, limits: null) { }

    internal RespClient(Stream stream, ReplyLimits? limits)
    {
        ArgumentNullException.ThrowIfNull(stream);
        _stream = stream;
        _parser = new ReplyParser(limits);
    }

    /// <summary>How long a read may wait for a complete reply; by default there is no limit.</summary>
    public TimeSpan ReplyTimeout { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>Takes the RESP3 push messages that arrive while a call waits for its reply; without one they are dropped.</summary>
    public Action<RespValue>? OnPush { get; set; }

    /// <summary>Is told of the bytes that each read has received, before they are looked at; what it throws ends the read.</summary>
    internal Action<int>? Received { get; set; }

    /// <summary>Bytes of memory that the buffers have.</summary>
    internal int BufferBytes => _incoming.Capacity + _outgoing.Capacity;

    /// <summary>Connects over TCP.</summary>
    public static Task<RespClient> ConnectAsync(string host, int port, CancellationToken cancellationToken = default) =>
        ConnectAsync(new DnsEndPoint(host, port), cancellationToken);

    /// <summary>Connects to a Unix socket.</summary>
    public static Task<RespClient> ConnectUnixAsync(string path, CancellationToken cancellationToken = default) =>
        ConnectAsync(new UnixDomainSocketEndPoint(path), cancellationToken);

    /// <summary>Connects to an endpoint.</summary>
    public static async Task<RespClient> ConnectAsync(EndPoint endPoint, CancellationToken cancellationToken = default) =>
        new(await ClientStream.OpenAsync(endPoint, tls: null, cancellationToken).ConfigureAwait(false));

    /// <summary>Connects to an endpoint using TLS.</summary>
    /// <exception cref="System.Security.Authentication.AuthenticationException">
    /// The handshake failed because one side rejected the other's certificate, or a file named by the options cannot be used.
    /// </exception>
    public static async Task<RespClient> ConnectAsync(EndPoint endPoint, RespTlsOptions tls, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(tls);
        if (tls.Problems().FirstOrDefault() is { } problem)
            throw new ArgumentException(problem, nameof(tls));
        return new RespClient(await ClientStream.OpenAsync(endPoint, tls, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Sends one request and reads its reply; push messages before it go to <see cref="OnPush"/>.</summary>
    /// <exception cref="GarnetCommandException">The reply is an error; the connection can still be used.</exception>
    public Task<RespValue> CallAsync(params string[] arguments) => CallAsync(arguments, CancellationToken.None);

    /// <summary>As <see cref="CallAsync(string[])"/>, for arguments of any bytes.</summary>
    public Task<RespValue> CallAsync(params ReadOnlyMemory<byte>[] arguments) => CallAsync(arguments, CancellationToken.None);

    /// <summary>As <see cref="CallAsync(string[])"/>; after a cancelled call the connection is of no further use.</summary>
    public async Task<RespValue> CallAsync(string[] arguments, CancellationToken cancellationToken) =>
        Checked(await TryCallAsync(arguments, cancellationToken).ConfigureAwait(false));

    /// <inheritdoc cref="CallAsync(string[], CancellationToken)"/>
    public async Task<RespValue> CallAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken) =>
        Checked(await TryCallAsync(arguments, cancellationToken).ConfigureAwait(false));

    /// <summary>As <see cref="CallAsync(string[])"/>, but an error reply is returned, not thrown: see <see cref="RespValue.IsError"/>.</summary>
    public Task<RespValue> TryCallAsync(params string[] arguments) => TryCallAsync(arguments, CancellationToken.None);

    /// <summary>As <see cref="TryCallAsync(string[])"/>, for arguments of any bytes.</summary>
    public Task<RespValue> TryCallAsync(params ReadOnlyMemory<byte>[] arguments) => TryCallAsync(arguments, CancellationToken.None);

    /// <summary>As <see cref="TryCallAsync(string[])"/>; after a cancelled call the connection is of no further use.</summary>
    public async Task<RespValue> TryCallAsync(string[] arguments, CancellationToken cancellationToken)
    {
        await SendAsync(arguments, cancellationToken).ConfigureAwait(false);
        return await ReadReplyAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc cref="TryCallAsync(string[], CancellationToken)"/>
    public async Task<RespValue> TryCallAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken)
    {
        await SendAsync(arguments, cancellationToken).ConfigureAwait(false);
        return await ReadReplyAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Adds a request to those that <see cref="FlushAsync"/> sends.</summary>
    public void Append(params ReadOnlySpan<string> arguments)
    {
        var writer = new RespWriter(_outgoing, 2);
        writer.WriteArray(arguments.Length);
        foreach (string argument in arguments)
            writer.WriteBulk(argument);
        writer.Complete();
    }

    /// <summary>As <see cref="Append(ReadOnlySpan{string})"/>, for arguments of any bytes.</summary>
    public void Append(params ReadOnlySpan<ReadOnlyMemory<byte>> arguments)
    {
        var writer = new RespWriter(_outgoing, 2);
        writer.WriteArray(arguments.Length);
        foreach (ReadOnlyMemory<byte> argument in arguments)
            writer.WriteBulk(argument.Span);
        writer.Complete();
    }

    /// <summary>Sends what was appended.</summary>
    public async Task FlushAsync(CancellationToken cancellationToken = default)
    {
        await _stream.WriteAsync(_outgoing.WrittenMemory, cancellationToken).ConfigureAwait(false);
        _outgoing.Clear();
        await _stream.FlushAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Sends one request, after those appended, without reading its reply.</summary>
    public Task SendAsync(params string[] arguments) => SendAsync(arguments, CancellationToken.None);

    /// <inheritdoc cref="SendAsync(string[])"/>
    public Task SendAsync(string[] arguments, CancellationToken cancellationToken)
    {
        Append(arguments.AsSpan());
        return FlushAsync(cancellationToken);
    }

    /// <summary>As <see cref="SendAsync(string[])"/>, for arguments of any bytes.</summary>
    public Task SendAsync(params ReadOnlyMemory<byte>[] arguments) => SendAsync(arguments, CancellationToken.None);

    /// <inheritdoc cref="SendAsync(ReadOnlyMemory{byte}[])"/>
    public Task SendAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken)
    {
        Append(arguments.AsSpan());
        return FlushAsync(cancellationToken);
    }

    /// <summary>Sends raw bytes, after the requests appended.</summary>
    internal Task SendRawAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken = default)
    {
        var writer = new RespWriter(_outgoing, 2);
        writer.WriteRaw(bytes.Span);
        writer.Complete();
        return FlushAsync(cancellationToken);
    }

    /// <summary>As <see cref="SendRawAsync(ReadOnlyMemory{byte}, CancellationToken)"/>, a text's UTF-8 bytes.</summary>
    internal Task SendRawAsync(string text, CancellationToken cancellationToken = default) =>
        SendRawAsync(Encoding.UTF8.GetBytes(text), cancellationToken);

    /// <summary>Reads the next reply, which may be an error, or push message.</summary>
    /// <exception cref="EndOfStreamException">The peer closed the connection.</exception>
    /// <exception cref="TimeoutException">No complete reply arrived within <see cref="ReplyTimeout"/>.</exception>
    public async Task<RespValue> ReadAsync(CancellationToken cancellationToken = default)
    {
        if (TryTake() is { } ready)
            return ready;
        using CancellationTokenSource limit = StartTimeout(cancellationToken);
        try
        {
            while (true)
            {
                if (!await ReceiveAsync(limit.Token).ConfigureAwait(false))
                    throw new EndOfStreamException("The peer closed the connection.");
                if (TryTake() is { } value)
                    return value;
            }
        }
        catch (OperationCanceledException exception) when (!cancellationToken.IsCancellationRequested)
        {
            throw new TimeoutException($"No reply within {ReplyTimeout}.", exception);
        }
    }

    /// <summary>
    /// Reads bytes as they are, up to the buffer's length; 0 when the peer closed the connection. Not while a reply is half read.
    /// </summary>
    internal async Task<int> ReadRawAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_parser.IsMidReply)
            throw new InvalidOperationException("A reply is half read.");
        using CancellationTokenSource limit = StartTimeout(cancellationToken);
        try
        {
            if (_incoming.IsEmpty && !await ReceiveAsync(limit.Token).ConfigureAwait(false))
                return 0;
        }
        catch (OperationCanceledException exception) when (!cancellationToken.IsCancellationRequested)
        {
            throw new TimeoutException($"No bytes within {ReplyTimeout}.", exception);
        }
        return _incoming.Take(buffer.Span);
    }

    /// <summary>Gives back what large requests and replies needed, for a connection that may be idle now.</summary>
    internal void TrimBuffers()
    {
        _incoming.Trim();
        if (_outgoing.WrittenMemory.IsEmpty)
            _outgoing.Dispose();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stream.Dispose();
        _outgoing.Dispose();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stream.DisposeAsync().ConfigureAwait(false);
        _outgoing.Dispose();
    }

    private static RespValue Checked(RespValue reply) => reply.IsError ? throw new GarnetCommandException(reply.ErrorMessage!) : reply;

    private async Task<RespValue> ReadReplyAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            RespValue value = await ReadAsync(cancellationToken).ConfigureAwait(false);
            if (value.Kind != RespKind.Push)
                return value;
            OnPush?.Invoke(value);
        }
    }

    private CancellationTokenSource StartTimeout(CancellationToken cancellationToken)
    {
        var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(ReplyTimeout);
        return limit;
    }

    private RespValue? TryTake() => _incoming.TryTake(_parser);

    private async ValueTask<bool> ReceiveAsync(CancellationToken cancellationToken)
    {
        int received = await _stream.ReadAsync(_incoming.Space(), cancellationToken).ConfigureAwait(false);
        _incoming.Add(received);
        Received?.Invoke(received);
        return received > 0;
    }
}
