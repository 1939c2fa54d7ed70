// FusionCache's backplane on a Garnet, Valkey or Redis server. Thread-safe.
using System.Text;
using System.Threading.Channels;
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;
using Garnet.Client;
using Microsoft.Extensions.Logging;
using ZiggyCreatures.Caching.Fusion;
using ZiggyCreatures.Caching.Fusion.Backplane;

namespace Garnet.Fusion;

/// <summary>
/// Publishes what a cache changes to the others. The link is looked after once a second: when it was lost, the cache is told that it was
/// connected again, and does by itself what it missed.
/// </summary>
public sealed class GarnetBackplane : IFusionCacheBackplane, IAsyncDisposable, IDisposable
{
    private static readonly TimeSpan LookEvery = TimeSpan.FromSeconds(1);

    private readonly Func<IReadOnlyList<string>, ICacheLink> _connect;
    private readonly BackplaneLog _log;
    private readonly TimeProvider _time;
    private readonly Lock _gate = new();
    private Subscription? _subscription;

    internal GarnetBackplane(Func<IReadOnlyList<string>, ICacheLink> connect, ILogger<GarnetBackplane> logger, TimeProvider time) =>
        (_connect, _log, _time) = (connect, new BackplaneLog(logger, time), time);

    /// <inheritdoc/>
    public void Subscribe(BackplaneSubscriptionOptions options) => SubscribeAsync(options).AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public async ValueTask SubscribeAsync(BackplaneSubscriptionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        await UnsubscribeAsync().ConfigureAwait(false);
        Subscription subscription = new(_connect([options.ChannelName!]), options, _log, _time);
        lock (_gate)
            _subscription = subscription;
        await subscription.BeginAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Unsubscribe() => UnsubscribeAsync().AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public async ValueTask UnsubscribeAsync()
    {
        Subscription? subscription;
        lock (_gate)
            (subscription, _subscription) = (_subscription, null);
        if (subscription is not null)
            await subscription.DisposeAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Publish(BackplaneMessage message, FusionCacheEntryOptions options, CancellationToken token = default) =>
        PublishAsync(message, options, token).AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The cache has not subscribed.</exception>
    public async ValueTask PublishAsync(BackplaneMessage message, FusionCacheEntryOptions options, CancellationToken token = default)
    {
        Subscription subscription =
            Volatile.Read(ref _subscription) ?? throw new InvalidOperationException("The backplane has no subscription to publish with.");
        await subscription.PublishAsync(BackplaneMessage.ToByteArray(message), token).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Dispose() => Unsubscribe();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => UnsubscribeAsync();

    private sealed class Subscription : IAsyncDisposable
    {
        private readonly ICacheLink _link;
        private readonly BackplaneSubscriptionOptions _options;
        private readonly BackplaneLog _log;
        private readonly TimeProvider _time;
        private readonly byte[] _channel;
        private readonly CancellationTokenSource _ending = new();
        private readonly Channel<ReadOnlyMemory<byte>> _messages = Channel.CreateUnbounded<ReadOnlyMemory<byte>>();
        private Task _handling = Task.CompletedTask;
        private Task _looking = Task.CompletedTask;

        // The number of losses when the cache was last told of a connection.
        private int _toldAt = -1;

        public Subscription(ICacheLink link, BackplaneSubscriptionOptions options, BackplaneLog log, TimeProvider time)
        {
            (_link, _options, _log, _time, _channel) = (link, options, log, time, Encoding.UTF8.GetBytes(options.ChannelName!));
            link.Received = message => _messages.Writer.TryWrite(message);
        }

        public async ValueTask BeginAsync()
        {
            _handling = HandleAllAsync();
            await TryLookAsync(isReconnection: false).ConfigureAwait(false);
            _looking = LookAfterAsync();
        }

        public async ValueTask PublishAsync(byte[] message, CancellationToken cancellationToken) =>
            await _link.CallAsync("PUBLISH", [_channel, message], cancellationToken).ConfigureAwait(false);

        public async ValueTask DisposeAsync()
        {
            await _ending.CancelAsync().ConfigureAwait(false);
            _messages.Writer.TryComplete();
            await _looking.ConfigureAwait(false);
            await _link.DisposeAsync().ConfigureAwait(false);
            await _handling.ConfigureAwait(false);
            _ending.Dispose();
        }

        // One at a time and not on the thread that reads, since a handler may call the cache, and the cache its server.
        private async Task HandleAllAsync()
        {
            await foreach (ReadOnlyMemory<byte> bytes in _messages.Reader.ReadAllAsync().ConfigureAwait(false))
            {
                try
                {
                    await HandleAsync(bytes).ConfigureAwait(false);
                }
                catch (Exception e)
                {
                    // Whatever it is, the next message is another one.
                    _log.Failed(_options.ChannelName!, e);
                }
            }
        }

        private async ValueTask HandleAsync(ReadOnlyMemory<byte> bytes)
        {
            if (TryRead(bytes) is not { } message)
                return;
            if (_options.IncomingMessageHandlerAsync is { } handler)
                await handler(message).ConfigureAwait(false);
            else
                _options.IncomingMessageHandler?.Invoke(message);
        }

        private async Task LookAfterAsync()
        {
            using PeriodicTimer look = new(LookEvery, _time);
            try
            {
                while (await look.WaitForNextTickAsync(_ending.Token).ConfigureAwait(false))
                    await TryLookAsync(isReconnection: true).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                // Unsubscribed.
            }
        }

        private async ValueTask TryLookAsync(bool isReconnection)
        {
            try
            {
                // Before the connection is tried, so that a loss in between is one that the cache has not been told of.
                int losses = _link.Losses;
                if (!await TryConnectAsync().ConfigureAwait(false) || _toldAt == losses)
                    return;
                await TellAsync(isReconnection).ConfigureAwait(false);
                _toldAt = losses;
            }
            catch (Exception e)
            {
                // Whatever it is, it is tried again at the next tick.
                _log.LookFailed(_options.ChannelName!, e);
            }
        }

        private async ValueTask<bool> TryConnectAsync()
        {
            try
            {
                _link.Subscribe();
                await _link.CallAsync("PING", []).ConfigureAwait(false);
                return true;
            }
            catch (Exception e) when (CacheMembership.IsLoss(e))
            {
                // Looked after again at the next tick; what is published meanwhile fails, and the cache recovers it.
                return false;
            }
        }

        private async ValueTask TellAsync(bool isReconnection)
        {
            BackplaneConnectionInfo info = new(isReconnection);
            if (_options.ConnectHandlerAsync is { } handler)
                await handler(info).ConfigureAwait(false);
            else
                _options.ConnectHandler?.Invoke(info);
        }

        // Messages of others on the channel concern no cache. These are what FusionCache's reader throws at them.
        private BackplaneMessage? TryRead(ReadOnlyMemory<byte> bytes)
        {
            try
            {
                return BackplaneMessage.FromByteArray(bytes.ToArray());
            }
            catch (Exception e)
                when (e is FormatException or ArgumentOutOfRangeException or IndexOutOfRangeException or InvalidOperationException)
            {
                _log.Foreign(_options.ChannelName!);
                return null;
            }
        }
    }
}
