// Publishing and subscribing. Stateless; any thread.
using System.Text;
using Garnet.Hosting.InProcess;
using Garnet.Server.Messaging;

namespace Garnet;

/// <summary>Publishing and subscribing over <see cref="IGarnet"/>, together with the RESP clients of the server.</summary>
/// <remarks>
/// A channel or payload that is a <see cref="string"/> is encoded as UTF-8. Messages are not stored: only the subscribers at the time of
/// publication receive them.
/// </remarks>
public static class GarnetMessagingExtensions
{
    private static readonly SubscriptionOptions Usual = new();

    /// <summary>PUBLISH: sends a message to the subscribers of a channel, and of patterns that match its name.</summary>
    /// <returns>The number of subscribers.</returns>
    public static long Publish(this IGarnet garnet, ReadOnlyMemory<byte> channel, ReadOnlyMemory<byte> payload)
    {
        ArgumentNullException.ThrowIfNull(garnet);
        return garnet.Execute("PUBLISH", channel, payload).AsInt64();
    }

    /// <inheritdoc cref="Publish(IGarnet, ReadOnlyMemory{byte}, ReadOnlyMemory{byte})"/>
    public static long Publish(this IGarnet garnet, string channel, string payload) =>
        garnet.Publish(Encoding.UTF8.GetBytes(channel), Encoding.UTF8.GetBytes(payload));

    /// <summary>As <see cref="Publish(IGarnet, ReadOnlyMemory{byte}, ReadOnlyMemory{byte})"/>, without occupying a thread while it waits.</summary>
    public static async ValueTask<long> PublishAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> channel,
        ReadOnlyMemory<byte> payload,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(garnet);
        return (await garnet.ExecuteAsync("PUBLISH", [channel, payload], cancellationToken).ConfigureAwait(false)).AsInt64();
    }

    /// <inheritdoc cref="PublishAsync(IGarnet, ReadOnlyMemory{byte}, ReadOnlyMemory{byte}, CancellationToken)"/>
    public static ValueTask<long> PublishAsync(
        this IGarnet garnet,
        string channel,
        string payload,
        CancellationToken cancellationToken = default
    ) => garnet.PublishAsync(Encoding.UTF8.GetBytes(channel), Encoding.UTF8.GetBytes(payload), cancellationToken);

    /// <summary>SUBSCRIBE: the messages of a channel from now on.</summary>
    /// <exception cref="NotSupportedException">This <see cref="IGarnet"/> is not that of a server in this process.</exception>
    public static GarnetSubscription Subscribe(this IGarnet garnet, string channel, SubscriptionOptions? options = null) =>
        garnet.Subscribe(Encoding.UTF8.GetBytes(channel), options);

    /// <inheritdoc cref="Subscribe(IGarnet, string, SubscriptionOptions?)"/>
    public static GarnetSubscription Subscribe(this IGarnet garnet, ReadOnlySpan<byte> channel, SubscriptionOptions? options = null) =>
        Source(garnet).Subscribe(TopicKind.Channel, channel, options ?? Usual);

    /// <summary>PSUBSCRIBE: the messages, from now on, of all channels whose names match a pattern.</summary>
    /// <exception cref="NotSupportedException">This <see cref="IGarnet"/> is not that of a server in this process.</exception>
    public static GarnetSubscription SubscribePattern(this IGarnet garnet, string pattern, SubscriptionOptions? options = null) =>
        garnet.SubscribePattern(Encoding.UTF8.GetBytes(pattern), options);

    /// <inheritdoc cref="SubscribePattern(IGarnet, string, SubscriptionOptions?)"/>
    public static GarnetSubscription SubscribePattern(
        this IGarnet garnet,
        ReadOnlySpan<byte> pattern,
        SubscriptionOptions? options = null
    ) => Source(garnet).Subscribe(TopicKind.Pattern, pattern, options ?? Usual);

    /// <summary>
    /// Calls a handler for each message of a channel, one at a time, on a thread of the pool, until the result is disposed or the server
    /// stops. An exception thrown by the handler ends the subscription.
    /// </summary>
    /// <exception cref="NotSupportedException">This <see cref="IGarnet"/> is not that of a server in this process.</exception>
    public static GarnetSubscription Subscribe(
        this IGarnet garnet,
        string channel,
        Func<GarnetMessage, ValueTask> handler,
        SubscriptionOptions? options = null
    )
    {
        ArgumentNullException.ThrowIfNull(handler);
        GarnetSubscription subscription = garnet.Subscribe(channel, options);
        _ = Task.Run(() => HandleAsync(subscription, handler));
        return subscription;
    }

    private static async Task HandleAsync(GarnetSubscription subscription, Func<GarnetMessage, ValueTask> handler)
    {
        using (subscription)
        {
            await foreach (GarnetMessage message in subscription.ConfigureAwait(false))
                await handler(message).ConfigureAwait(false);
        }
    }

    private static ISubscriptionSource Source(IGarnet garnet)
    {
        ArgumentNullException.ThrowIfNull(garnet);
        return garnet as ISubscriptionSource
            ?? throw new NotSupportedException("Subscriptions are those of a server in this process; these commands are not.");
    }
}
