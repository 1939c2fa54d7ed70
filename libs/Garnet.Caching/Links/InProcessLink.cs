// A cache's link to the server of its own process: calls without a socket. Thread-safe.
using Garnet.Client;

namespace Garnet.Caching.Links;

/// <summary>
/// Subscriptions end with the server, or when their reader is too slow, which counts as a loss; the next call of <see cref="Subscribe"/>
/// begins new ones.
/// </summary>
internal sealed class InProcessLink(IGarnet garnet, IReadOnlyList<string> channels) : ICacheLink
{
    private const int MaxQueued = 16 * 1024;
    private static readonly SubscriptionOptions Complete = new() { Capacity = MaxQueued, WhenFull = SlowReaderPolicy.End };

    private readonly Lock _gate = new();
    private GarnetSubscription[] _subscriptions = [];
    private bool _isSubscribed;
    private bool _isDisposed;
    private int _losses;

    public IGarnet? Here => garnet;

    public int Losses => Volatile.Read(ref _losses);

    public Action<ReadOnlyMemory<byte>>? Received { get; set; }

    public Action? Lost { get; set; }

    public void Subscribe()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_isSubscribed)
                return;
            _isSubscribed = true;
            _subscriptions = [.. channels.Select(channel => garnet.Subscribe(channel, Complete))];
            GarnetSubscription[] all = _subscriptions;
            foreach (GarnetSubscription subscription in all)
                _ = Task.Run(() => ReadAsync(subscription, all));
        }
    }

    public async ValueTask<RespValue> CallAsync(
        string command,
        ReadOnlyMemory<byte>[] arguments,
        CancellationToken cancellationToken = default
    )
    {
        try
        {
            return await garnet.ExecuteAsync(command, arguments, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (IsStopped(e, cancellationToken))
        {
            throw new RespConnectionException(e.Message, e);
        }
    }

    public async ValueTask<RespValue[]> CallAllAsync(CacheCommand[] commands, CancellationToken cancellationToken = default)
    {
        var replies = new RespValue[commands.Length];
        GarnetCommandException? error = null;
        for (int i = 0; i < commands.Length; i++)
        {
            try
            {
                replies[i] = await CallAsync(commands[i].Name, commands[i].Arguments, cancellationToken).ConfigureAwait(false);
            }
            catch (GarnetCommandException e)
            {
                error ??= e;
            }
        }

        return error is null ? replies : throw error;
    }

    public RespValue? CallHere(string command, ReadOnlyMemory<byte>[] arguments)
    {
        try
        {
            return garnet.Execute(command, arguments);
        }
        catch (Exception e) when (IsStopped(e, CancellationToken.None))
        {
            throw new RespConnectionException(e.Message, e);
        }
    }

    // The server answers most calls at once, and then no state machine is needed.
    public ValueTask<StoredBytes> ReadAsync(ReadOnlyMemory<byte> key, bool withTime)
    {
        try
        {
            ValueTask<TimeSpan?> left = withTime ? garnet.GetTimeToLiveAsync(key) : new(Timeout.InfiniteTimeSpan);
            if (!left.IsCompletedSuccessfully)
                return WaitAsync(left, key);
            if (left.Result is not { } time)
                return new(StoredBytes.None);
            ValueTask<byte[]?> bytes = garnet.GetAsync(key);
            return bytes.IsCompletedSuccessfully ? new(Stored(bytes.Result, time)) : WaitAsync(bytes, time);
        }
        catch (Exception e) when (IsStopped(e, CancellationToken.None))
        {
            return ValueTask.FromException<StoredBytes>(new RespConnectionException(e.Message, e));
        }
    }

    public async ValueTask<StoredBytes[]> ReadManyAsync(ReadOnlyMemory<byte>[] keys)
    {
        var read = new StoredBytes[keys.Length];
        for (int i = 0; i < keys.Length; i++)
            read[i] = await ReadAsync(keys[i], withTime: true).ConfigureAwait(false);
        return read;
    }

    public ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            _isDisposed = true;
            foreach (GarnetSubscription subscription in _subscriptions)
                subscription.Dispose();
        }

        return ValueTask.CompletedTask;
    }

    private async ValueTask<StoredBytes> WaitAsync(ValueTask<TimeSpan?> left, ReadOnlyMemory<byte> key)
    {
        try
        {
            return await left.ConfigureAwait(false) is { } time
                ? Stored(await garnet.GetAsync(key).ConfigureAwait(false), time)
                : StoredBytes.None;
        }
        catch (Exception e) when (IsStopped(e, CancellationToken.None))
        {
            throw new RespConnectionException(e.Message, e);
        }
    }

    private static async ValueTask<StoredBytes> WaitAsync(ValueTask<byte[]?> bytes, TimeSpan left)
    {
        try
        {
            return Stored(await bytes.ConfigureAwait(false), left);
        }
        catch (Exception e) when (IsStopped(e, CancellationToken.None))
        {
            throw new RespConnectionException(e.Message, e);
        }
    }

    private static StoredBytes Stored(byte[]? bytes, TimeSpan left) =>
        bytes is null ? StoredBytes.None : new StoredBytes(bytes, left == Timeout.InfiniteTimeSpan ? -1 : (long)left.TotalMilliseconds);

    private async Task ReadAsync(GarnetSubscription subscription, GarnetSubscription[] all)
    {
        try
        {
            await foreach (GarnetMessage message in subscription.ConfigureAwait(false))
                Received?.Invoke(message.Payload);
        }
        catch (InvalidOperationException)
        {
            // The reader was too slow; like the end of the server, that is a loss.
        }

        End(all);
    }

    // The server has not started or has stopped, or its log cannot be written: what a lost connection is elsewhere.
    public static bool IsStopped(Exception e, CancellationToken cancellationToken) =>
        e is InvalidOperationException or IOException || (e is OperationCanceledException && !cancellationToken.IsCancellationRequested);

    // The end of one subscription ends the others, which would report the same loss.
    private void End(GarnetSubscription[] all)
    {
        lock (_gate)
        {
            if (!_isSubscribed || _subscriptions != all)
                return;
            _isSubscribed = false;
            foreach (GarnetSubscription subscription in all)
                subscription.Dispose();
        }

        Interlocked.Increment(ref _losses);
        Lost?.Invoke();
    }
}
