// A subscription of the application to a channel or pattern. Messages come from any thread, the reader is one at a time.
using System.Threading.Channels;
using Garnet.Server.Messaging;

namespace Garnet;

/// <summary>
/// The messages published since the subscription began, in the order of each publisher. It begins before the call that makes it returns,
/// and ends when it is disposed or the server stops: then the enumeration ends after the messages in the buffer.
/// </summary>
/// <example>
/// <code>
/// using GarnetSubscription news = garnet.Subscribe("news");
/// await foreach (GarnetMessage message in news)
///     Console.WriteLine(message.Text);
/// </code>
/// </example>
public sealed class GarnetSubscription : IAsyncEnumerable<GarnetMessage>, IDisposable
{
    private readonly Channel<GarnetMessage> _messages;
    private readonly SlowReaderPolicy _whenFull;
    private readonly MessageHub _hub;
    private readonly LocalSubscriber _subscriber;
    private readonly CancellationTokenRegistration _serverStops;
    private long _dropped;
    private int _isEnded;

    internal GarnetSubscription(
        MessageHub hub,
        TopicKind kind,
        ReadOnlySpan<byte> name,
        SubscriptionOptions options,
        CancellationToken stop
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Capacity, 1, nameof(options));
        BoundedChannelFullMode mode = options.WhenFull switch
        {
            SlowReaderPolicy.DropOldest => BoundedChannelFullMode.DropOldest,
            SlowReaderPolicy.DropNewest => BoundedChannelFullMode.DropWrite,
            _ => BoundedChannelFullMode.Wait,
        };
        _messages = Channel.CreateBounded<GarnetMessage>(
            new BoundedChannelOptions(options.Capacity) { FullMode = mode },
            _ => Interlocked.Increment(ref _dropped)
        );
        _whenFull = options.WhenFull;
        _hub = hub;
        _subscriber = new LocalSubscriber(Receive);
        hub.Subscribe(_subscriber, kind, name);
        _serverStops = stop.UnsafeRegister(static subscription => ((GarnetSubscription)subscription!).Dispose(), this);
    }

    /// <summary>Number of messages dropped because the reader was too slow.</summary>
    public long Dropped => Volatile.Read(ref _dropped);

    /// <inheritdoc/>
    public IAsyncEnumerator<GarnetMessage> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        _messages.Reader.ReadAllAsync(cancellationToken).GetAsyncEnumerator(cancellationToken);

    /// <summary>Ends the subscription.</summary>
    public void Dispose() => End(null);

    // Called under the lock of delivery, so it must not wait.
    private void Receive(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> channel, ReadOnlySpan<byte> payload)
    {
        if (_messages.Writer.TryWrite(new GarnetMessage(channel.ToArray(), payload.ToArray())) || _whenFull != SlowReaderPolicy.End)
            return;
        Interlocked.Increment(ref _dropped);
        _subscriber.End();
        ThreadPool.UnsafeQueueUserWorkItem(
            static subscription =>
                subscription.End(new InvalidOperationException("The subscription has ended: its reader was slower than the publishers.")),
            this,
            preferLocal: false
        );
    }

    private void End(Exception? reason)
    {
        if (Interlocked.Exchange(ref _isEnded, 1) != 0)
            return;
        _hub.Leave(_subscriber);
        _messages.Writer.TryComplete(reason);
        _serverStops.Unregister();
    }
}
