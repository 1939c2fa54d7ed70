// A RESP client shared by any number of callers. Thread-safe.
using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Garnet.Client;

/// <summary>
/// Pipelines the calls of all callers over one connection, which is opened by the first call and reopened by the next call after it was
/// lost. Calls in flight then fail with <see cref="RespConnectionException"/>; nothing is sent twice. Do not use it for blocking or
/// subscribing commands: all callers would wait behind them.
/// </summary>
public sealed class RespMultiplexer : IAsyncDisposable, IDisposable
{
    private readonly RespMultiplexerOptions _options;
    private readonly ConnectionHooks _hooks;
    private readonly Lock _gate = new();
    private MultiplexedConnection? _connection;
    private Task<MultiplexedConnection>? _connecting;
    private long _failedAt;
    private bool _isDisposed;

    /// <summary>Creates a client that connects at its first call.</summary>
    /// <exception cref="ArgumentException">The options are invalid.</exception>
    public RespMultiplexer(RespMultiplexerOptions options)
        : this(options, ConnectionHooks.None) { }

    internal RespMultiplexer(RespMultiplexerOptions options, ConnectionHooks hooks)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.Problems().FirstOrDefault() is { } problem)
            throw new ArgumentException(problem, nameof(options));
        _options = options;
        _hooks = hooks;
    }

    /// <summary>Calls a command.</summary>
    /// <param name="arguments">The command's name and its arguments; not accessed after the method has returned.</param>
    /// <param name="cancellationToken">Ends the wait for the reply; a request that has been sent is still executed.</param>
    /// <exception cref="GarnetCommandException">The reply is an error.</exception>
    /// <exception cref="RespConnectionException">There is no connection, or it was lost.</exception>
    /// <exception cref="TimeoutException">No reply arrived in time.</exception>
    public Task<RespValue> CallAsync(ReadOnlySpan<ReadOnlyMemory<byte>> arguments, CancellationToken cancellationToken = default) =>
        CallAsync(arguments, throwsErrors: true, cancellationToken);

    /// <summary>As <see cref="CallAsync(ReadOnlySpan{ReadOnlyMemory{byte}}, CancellationToken)"/>, for texts.</summary>
    public Task<RespValue> CallAsync(params ReadOnlySpan<string> arguments) => CallAsync(arguments, CancellationToken.None);

    /// <inheritdoc cref="CallAsync(ReadOnlySpan{string})"/>
    public Task<RespValue> CallAsync(ReadOnlySpan<string> arguments, CancellationToken cancellationToken) =>
        CallAsync(Encode(arguments), cancellationToken);

    /// <summary>Calls a command, and returns an error reply instead of throwing it: see <see cref="RespValue.IsError"/>.</summary>
    /// <param name="arguments">The command's name and its arguments; not accessed after the method has returned.</param>
    /// <param name="cancellationToken">Ends the wait for the reply; a request that has been sent is still executed.</param>
    /// <exception cref="RespConnectionException">There is no connection, or it was lost.</exception>
    /// <exception cref="TimeoutException">No reply arrived in time.</exception>
    public Task<RespValue> TryCallAsync(ReadOnlySpan<ReadOnlyMemory<byte>> arguments, CancellationToken cancellationToken = default) =>
        CallAsync(arguments, throwsErrors: false, cancellationToken);

    /// <summary>As <see cref="TryCallAsync(ReadOnlySpan{ReadOnlyMemory{byte}}, CancellationToken)"/>, for texts.</summary>
    public Task<RespValue> TryCallAsync(params ReadOnlySpan<string> arguments) => TryCallAsync(arguments, CancellationToken.None);

    /// <inheritdoc cref="TryCallAsync(ReadOnlySpan{string})"/>
    public Task<RespValue> TryCallAsync(ReadOnlySpan<string> arguments, CancellationToken cancellationToken) =>
        TryCallAsync(Encode(arguments), cancellationToken);

    /// <summary>Calls commands that are sent together, in their order.</summary>
    /// <param name="requests">Each a command's name and its arguments, at least one; not changed before the replies have come.</param>
    /// <exception cref="GarnetCommandException">One of the replies is an error.</exception>
    /// <exception cref="RespConnectionException">There is no connection, or it was lost.</exception>
    /// <exception cref="TimeoutException">No reply arrived in time.</exception>
    internal Task<RespValue[]> CallAllAsync(ReadOnlyMemory<byte>[][] requests) =>
        Volatile.Read(ref _connection)?.TryCallAll(requests)
        ?? ConnectAndCallAsync(connection => connection.TryCallAll(requests), CancellationToken.None);

    /// <inheritdoc/>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        MultiplexedConnection? connection;
        Task<MultiplexedConnection>? connecting;
        lock (_gate)
        {
            _isDisposed = true;
            connection = _connection;
            connecting = _connecting;
        }

        if (connection is not null)
            await connection.DisposeAsync().ConfigureAwait(false);
        if (connecting is not null)
        {
            await connecting
                .ContinueWith(
                    static made => made.IsCompletedSuccessfully ? made.Result.DisposeAsync().AsTask() : Task.CompletedTask,
                    TaskScheduler.Default
                )
                .Unwrap()
                .ConfigureAwait(false);
        }
    }

    private Task<RespValue> CallAsync(ReadOnlySpan<ReadOnlyMemory<byte>> arguments, bool throwsErrors, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled<RespValue>(cancellationToken);
        return Volatile.Read(ref _connection)?.TryCall(arguments, throwsErrors, cancellationToken)
            ?? ConnectAndCallAsync(Copy(arguments), throwsErrors, cancellationToken);
    }

    private static ReadOnlyMemory<byte>[] Encode(ReadOnlySpan<string> texts)
    {
        var bytes = new ReadOnlyMemory<byte>[texts.Length];
        for (int i = 0; i < bytes.Length; i++)
            bytes[i] = Encoding.UTF8.GetBytes(texts[i]);
        return bytes;
    }

    // Copied because the caller may reuse its memory once the method has returned.
    private static ReadOnlyMemory<byte>[] Copy(ReadOnlySpan<ReadOnlyMemory<byte>> arguments)
    {
        var copies = new ReadOnlyMemory<byte>[arguments.Length];
        for (int i = 0; i < copies.Length; i++)
            copies[i] = arguments[i].ToArray();
        return copies;
    }

    private Task<RespValue> ConnectAndCallAsync(ReadOnlyMemory<byte>[] arguments, bool throwsErrors, CancellationToken cancellationToken) =>
        ConnectAndCallAsync(connection => connection.TryCall(arguments, throwsErrors, cancellationToken), cancellationToken);

    private async Task<T> ConnectAndCallAsync<T>(Func<MultiplexedConnection, Task<T>?> tryCall, CancellationToken cancellationToken)
    {
        while (true)
        {
            MultiplexedConnection connection = await ConnectedAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
            if (tryCall(connection) is { } reply)
                return await reply.ConfigureAwait(false);
            if (connection.IsAlive)
                await connection.SpaceAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    // The current connection, or the attempt to open one that is in progress; there is only one at a time.
    private Task<MultiplexedConnection> ConnectedAsync()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_connection is { IsAlive: true } alive)
                return Task.FromResult(alive);
            if (_connecting is { IsCompleted: false })
                return _connecting;
            if (_connecting is { IsFaulted: true } && _options.TimeProvider.GetElapsedTime(_failedAt) < _options.RetryDelay)
                return _connecting;
            return _connecting = Task.Run(ConnectAsync);
        }
    }

    private async Task<MultiplexedConnection> ConnectAsync()
    {
        using CancellationTokenSource limit = new(_options.ConnectTimeout, _options.TimeProvider);
        Stream? stream = null;
        try
        {
            stream = await OpenAsync(limit.Token).ConfigureAwait(false);
            MultiplexedConnection connection = new(stream, _options, _hooks);
            await LogInAsync(connection, limit.Token).ConfigureAwait(false);
            lock (_gate)
                _connection = connection;
            return connection;
        }
        catch (Exception e)
            when (e
                    is SocketException
                        or IOException
                        or OperationCanceledException
                        or System.Security.Authentication.AuthenticationException
            )
        {
            if (stream is not null)
                await stream.DisposeAsync().ConfigureAwait(false);
            Volatile.Write(ref _failedAt, _options.TimeProvider.GetTimestamp());
            string why = e is OperationCanceledException ? $"no answer within {_options.ConnectTimeout}" : e.Message;
            throw new RespConnectionException($"No connection to {_options.EndPointText}: {why}", e);
        }
    }

    private async Task<Stream> OpenAsync(CancellationToken cancellationToken)
    {
        Stream stream = await ClientStream.OpenAsync(_options.EndPoint, _options.Tls, cancellationToken).ConfigureAwait(false);
        if (_options.StreamFilter is null)
            return stream;
        try
        {
            return await _options.StreamFilter(stream, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async Task LogInAsync(MultiplexedConnection connection, CancellationToken cancellationToken)
    {
        if (_options.Password is not null)
        {
            await SayAsync(
                    connection,
                    _options.User is null ? ["AUTH", _options.Password] : ["AUTH", _options.User, _options.Password],
                    cancellationToken
                )
                .ConfigureAwait(false);
        }

        if (_options.Database != 0)
        {
            await SayAsync(connection, ["SELECT", _options.Database.ToString(CultureInfo.InvariantCulture)], cancellationToken)
                .ConfigureAwait(false);
        }

        if (_options.ClientName is not null)
            await SayAsync(connection, ["CLIENT", "SETNAME", _options.ClientName], cancellationToken).ConfigureAwait(false);
        foreach (string[] words in _hooks.Greeting)
            await SayAsync(connection, words, cancellationToken).ConfigureAwait(false);
        if (_hooks.Channels.Count != 0)
        {
            connection.Subscribe(_hooks.Channels);
            // A refusal is answered by an error, which this call would get instead of its PONG.
            await SayAsync(connection, ["PING"], cancellationToken).ConfigureAwait(false);
        }
    }

    private static async Task SayAsync(MultiplexedConnection connection, string[] words, CancellationToken cancellationToken)
    {
        ReadOnlyMemory<byte>[] arguments = [.. words.Select(static word => (ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(word))];
        Task<RespValue> call = connection.TryCall(arguments, throwsErrors: false, cancellationToken) ?? throw new RespConnectionException();
        RespValue reply = await call.ConfigureAwait(false);
        if (reply.IsError)
            throw new RespConnectionException($"{words[0]} was refused: {reply.Text}");
    }
}
