// Values of a server kept in this process until the server announces their change. Thread-safe.
using System.Text;

namespace Garnet.Client;

/// <summary>
/// Answers GET from memory where it can. The server is asked to track what is read (CLIENT TRACKING) on a connection of the cache's own,
/// and announces every change there, made by any client. When that connection is lost, everything is dropped, and nothing is kept until
/// tracking is on again. Concurrent reads of one key share a request.
/// </summary>
/// <remarks>
/// A change is seen when its announcement has arrived, usually within a round trip. <see cref="SynchronizeAsync"/> waits for all that were
/// sent so far; <see cref="Invalidate(string)"/> after a write of one's own makes the next read see at least that.
/// </remarks>
public sealed class RespNearCache : IAsyncDisposable, IDisposable
{
    private const int MaxStackBytes = 512;
    private static readonly ReadOnlyMemory<byte> Get = "GET"u8.ToArray();

    private readonly RespMultiplexer _connection;
    private readonly NearCacheTable _table;
    private readonly byte[][] _prefixes;
    private readonly ITimer _clock;
    private int _isChecking;

    /// <summary>Creates a cache that connects at its first read.</summary>
    /// <param name="connection">The server. Only what its user may read can be read.</param>
    /// <param name="options">Limits; the defaults when null.</param>
    /// <exception cref="ArgumentException">The options are invalid.</exception>
    public RespNearCache(RespMultiplexerOptions connection, RespNearCacheOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        options ??= new RespNearCacheOptions();
        if (options.Problems().FirstOrDefault() is { } problem)
            throw new ArgumentException(problem, nameof(options));
        _table = new NearCacheTable(options.MaxEntries, options.MaxBytes);
        _prefixes = [.. options.Prefixes.Select(Encoding.UTF8.GetBytes)];
        string[] broadcast = [.. options.Prefixes.SelectMany(static prefix => (string[])["PREFIX", prefix])];
        _connection = new RespMultiplexer(
            connection,
            new ConnectionHooks
            {
                Greeting =
                [
                    ["HELLO", "3"],
                    broadcast.Length == 0 ? ["CLIENT", "TRACKING", "ON"] : ["CLIENT", "TRACKING", "ON", "BCAST", .. broadcast],
                ],
                Pushed = OnPush,
                Ended = _table.Clear,
            }
        );
        _clock = connection.TimeProvider.CreateTimer(
            static cache => _ = ((RespNearCache)cache!).CheckAsync(),
            this,
            options.CheckInterval,
            options.CheckInterval
        );
    }

    /// <summary>What the cache has done, and its size.</summary>
    public RespNearCacheStatistics Statistics => _table.Statistics;

    /// <summary>
    /// The reply of GET: a bulk string, or a null when the key does not exist, which is kept as well.
    /// </summary>
    /// <param name="key">The key, sent as UTF-8.</param>
    /// <param name="cancellationToken">Ends the wait for the reply.</param>
    /// <exception cref="GarnetCommandException">The reply is an error; it is not kept.</exception>
    /// <exception cref="RespConnectionException">There is no connection, it was lost, or the server has refused tracking.</exception>
    /// <exception cref="TimeoutException">No reply arrived in time.</exception>
    public ValueTask<RespValue> GetAsync(string key, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        int most = Encoding.UTF8.GetMaxByteCount(key.Length);
        Span<byte> bytes = most <= MaxStackBytes ? stackalloc byte[MaxStackBytes] : new byte[most];
        return GetAsync(bytes[..Encoding.UTF8.GetBytes(key, bytes)], cancellationToken);
    }

    /// <inheritdoc cref="GetAsync(string, CancellationToken)"/>
    /// <param name="key">The key; not accessed after the method has returned.</param>
    /// <param name="cancellationToken">Ends the wait for the reply.</param>
    public ValueTask<RespValue> GetAsync(ReadOnlySpan<byte> key, CancellationToken cancellationToken = default)
    {
        ValueTask<RespValue> read = TryGetAsync(key, cancellationToken);
        return read.IsCompletedSuccessfully && read.Result is { IsError: false } kept ? new ValueTask<RespValue>(kept) : CheckedAsync(read);
    }

    /// <summary>As <see cref="GetAsync(string, CancellationToken)"/>, but an error reply is returned, not thrown.</summary>
    /// <param name="key">The key, sent as UTF-8.</param>
    /// <param name="cancellationToken">Ends the wait for the reply.</param>
    public ValueTask<RespValue> TryGetAsync(string key, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        int most = Encoding.UTF8.GetMaxByteCount(key.Length);
        Span<byte> bytes = most <= MaxStackBytes ? stackalloc byte[MaxStackBytes] : new byte[most];
        return TryGetAsync(bytes[..Encoding.UTF8.GetBytes(key, bytes)], cancellationToken);
    }

    /// <inheritdoc cref="TryGetAsync(string, CancellationToken)"/>
    /// <param name="key">The key; not accessed after the method has returned.</param>
    /// <param name="cancellationToken">Ends the wait for the reply.</param>
    public ValueTask<RespValue> TryGetAsync(ReadOnlySpan<byte> key, CancellationToken cancellationToken = default)
    {
        if (!IsTracked(key))
        {
            _table.CountMiss();
            return new ValueTask<RespValue>(_connection.TryCallAsync([Get, key.ToArray()], cancellationToken));
        }

        NearCacheEntry entry = _table.FindOrBegin(key, out RespValue? value, out bool isNew);
        if (value is not null)
            return new ValueTask<RespValue>(value);
        if (isNew)
            _ = FetchAsync(entry);
        return new ValueTask<RespValue>(entry.Reply.WaitAsync(cancellationToken));
    }

    /// <summary>Drops a key: reads that begin from here on ask the server.</summary>
    public void Invalidate(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        Invalidate(Encoding.UTF8.GetBytes(key));
    }

    /// <inheritdoc cref="Invalidate(string)"/>
    public void Invalidate(ReadOnlySpan<byte> key) => _table.Remove(key);

    /// <summary>
    /// Completes when every change that the server had announced before this call reached it has been applied: reads that begin afterwards
    /// see all writes that were acknowledged before the call.
    /// </summary>
    /// <exception cref="RespConnectionException">There is no connection, or it was lost; nothing is kept then.</exception>
    /// <exception cref="TimeoutException">No reply arrived in time; nothing is kept then.</exception>
    public async Task SynchronizeAsync(CancellationToken cancellationToken = default) =>
        await _connection.TryCallAsync(["PING"], cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _clock.DisposeAsync().ConfigureAwait(false);
        await _connection.DisposeAsync().ConfigureAwait(false);
    }

    private static async ValueTask<RespValue> CheckedAsync(ValueTask<RespValue> read)
    {
        RespValue reply = await read.ConfigureAwait(false);
        return reply.IsError ? throw new GarnetCommandException(reply.ErrorMessage!) : reply;
    }

    private bool IsTracked(ReadOnlySpan<byte> key)
    {
        if (_prefixes.Length == 0)
            return true;
        foreach (byte[] prefix in _prefixes)
        {
            if (key.StartsWith(prefix))
                return true;
        }

        return false;
    }

    // Shared by all callers that wait for it, so that the cancellation of one does not end it.
    private async Task FetchAsync(NearCacheEntry entry)
    {
        try
        {
            RespValue reply = await _connection.TryCallAsync([Get, entry.Key]).ConfigureAwait(false);
            if (reply.IsError)
                _table.Drop(entry);
            else
                _table.Keep(entry, reply);
            entry.SetReply(reply);
        }
        catch (Exception e) when (e is RespConnectionException or TimeoutException or ObjectDisposedException)
        {
            _table.Drop(entry);
            entry.SetFailure(e);
        }
    }

    private void OnPush(RespValue push)
    {
        if (push.Children is not [{ } word, { } keys] || !word.Bytes.Span.SequenceEqual("invalidate"u8))
            return;
        if (keys.IsNull)
            _table.Clear();
        foreach (RespValue key in keys.Children)
            _table.Invalidate(key.Bytes.Span);
    }

    private async Task CheckAsync()
    {
        if (_table.Statistics.Entries == 0 || Interlocked.Exchange(ref _isChecking, 1) == 1)
            return;
        try
        {
            await SynchronizeAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is RespConnectionException or TimeoutException or ObjectDisposedException)
        {
            // The loss has emptied the cache, and the next read reports what is wrong.
        }
        finally
        {
            Volatile.Write(ref _isChecking, 0);
        }
    }
}
