// Publish and subscribe by StackExchange.Redis. Each test has a server of its own.
using System.Collections.Concurrent;
using StackExchange.Redis;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class StackExchangeRedisMessageTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    public static TheoryData<RedisProtocol> Protocols => StackExchangeRedisTypesTests.Protocols;

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Messages_of_one_publisher_arrive_in_order(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        ISubscriber subscriber = redis.Multiplexer.GetSubscriber();
        ChannelMessageQueue queue = await subscriber.SubscribeAsync(RedisChannel.Literal("news"));
        for (int i = 0; i < 1000; i++)
            _ = subscriber.PublishAsync(RedisChannel.Literal("news"), i, CommandFlags.FireAndForget);
        using var patience = new CancellationTokenSource(Patience);
        for (int i = 0; i < 1000; i++)
            Assert.Equal(i, (await queue.ReadAsync(patience.Token)).Message);
        Assert.Equal(1, await subscriber.PublishAsync(RedisChannel.Literal("news"), "last"));
        await queue.UnsubscribeAsync();
        Assert.Equal(0, await subscriber.PublishAsync(RedisChannel.Literal("news"), "nobody"));
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Patterns_and_what_is_asked_about_subscriptions(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        ISubscriber subscriber = redis.Multiplexer.GetSubscriber();
        var received = new BlockingCollection<string>();
        await subscriber.SubscribeAsync(
            RedisChannel.Pattern("news.*"),
            (channel, message) => received.Add($"{channel} {message}"),
            CommandFlags.None
        );
        await subscriber.SubscribeAsync(RedisChannel.Literal("sport"), (_, _) => { });
        Assert.Equal(1, await redis.Database.PublishAsync(RedisChannel.Literal("news.uk"), "rain"));
        Assert.True(received.TryTake(out string? message, Patience));
        Assert.Equal("news.uk rain", message);
        Assert.Equal(1, await redis.Admin.SubscriptionPatternCountAsync());
        Assert.Equal(1, await redis.Admin.SubscriptionSubscriberCountAsync(RedisChannel.Literal("sport")));
        Assert.Contains(RedisChannel.Literal("sport"), await redis.Admin.SubscriptionChannelsAsync());
        await subscriber.UnsubscribeAllAsync();
        Assert.Equal(0, await redis.Admin.SubscriptionPatternCountAsync());
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Keyspace_notifications(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        await redis.Admin.ConfigSetAsync("notify-keyspace-events", "KEA");
        ISubscriber subscriber = redis.Multiplexer.GetSubscriber();
        ChannelMessageQueue events = await subscriber.SubscribeAsync(RedisChannel.Pattern("__keyevent@*__:*"));
        ChannelMessageQueue user = await subscriber.SubscribeAsync(RedisChannel.Pattern("__keyspace@0__:user:*"));
        IDatabase db = redis.Database;
        await db.StringSetAsync("user:1", "Ada", TimeSpan.FromMinutes(1));
        await db.HashSetAsync("h", "f", 1);
        await db.SortedSetAddAsync("z", "m", 1);
        await db.KeyRenameAsync("user:1", "user:2");
        await redis.Multiplexer.GetDatabase(3).StringSetAsync("other", 1);
        await db.StringSetAsync("brief", 1, TimeSpan.FromMilliseconds(1));
        await db.KeyDeleteAsync("user:2");
        string[] expected =
        [
            "0 Set user:1",
            "0 Expire user:1",
            "0 HSet h",
            "0 ZAdd z",
            "0 RenameFrom user:1",
            "0 RenameTo user:2",
            "3 Set other",
            "0 Set brief",
            "0 Expire brief",
            "0 Del user:2",
            "0 Expired brief",
        ];
        // The key that expires goes at a moment of its own.
        Assert.Equal(expected.Order(), (await TakeAsync(events, expected.Length)).Order());
        Assert.Equal(
            ["0 Set user:1", "0 Expire user:1", "0 RenameFrom user:1", "0 RenameTo user:2", "0 Del user:2"],
            await TakeAsync(user, 5)
        );

        static async Task<string[]> TakeAsync(ChannelMessageQueue queue, int count)
        {
            using var patience = new CancellationTokenSource(Patience);
            string[] all = new string[count];
            for (int i = 0; i < count; i++)
            {
                ChannelMessage message = await queue.ReadAsync(patience.Token);
                Assert.True(message.TryParseKeyNotification(out KeyNotification notification), $"{message}");
                all[i] = $"{notification.Database} {notification.Type} {notification.GetKey()}";
            }

            return all;
        }
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Large_payloads_arrive_whole(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(protocol);
        ISubscriber subscriber = redis.Multiplexer.GetSubscriber();
        ChannelMessageQueue queue = await subscriber.SubscribeAsync(RedisChannel.Literal("large"));
        byte[] payload = new byte[1 << 20];
        new Random(1).NextBytes(payload);
        using var patience = new CancellationTokenSource(Patience);
        for (int i = 0; i < 10; i++)
        {
            await subscriber.PublishAsync(RedisChannel.Literal("large"), payload);
            Assert.Equal(payload, (byte[]?)(await queue.ReadAsync(patience.Token)).Message);
        }
    }

    [Theory]
    [MemberData(nameof(Protocols))]
    public async Task Subscriptions_come_back_after_CLIENT_KILL(RedisProtocol protocol)
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync(
            protocol,
            connect: static options => options.ReconnectRetryPolicy = new LinearRetry(50)
        );
        await using ConnectionMultiplexer killer = await ConnectionMultiplexer.ConnectAsync(RedisConnection.OptionsFor(redis.Server));
        ISubscriber subscriber = redis.Multiplexer.GetSubscriber();
        ChannelMessageQueue queue = await subscriber.SubscribeAsync(RedisChannel.Literal("news"));
        var ended = new TaskCompletionSource();
        var restored = new TaskCompletionSource();
        redis.Multiplexer.ConnectionFailed += (_, _) => ended.TrySetResult();
        redis.Multiplexer.ConnectionRestored += (_, _) => restored.TrySetResult();
        IServer admin = killer.GetServer(redis.Server.EndPoint);
        // The multiplexer that kills has a subscription of its own, made on another connection than the calls.
        using var subscribed = new CancellationTokenSource(Patience);
        while (((string)(await admin.ExecuteAsync("CLIENT", "LIST", "TYPE", "pubsub"))!).Count(static c => c == '\n') < 2)
            await Task.Delay(10, subscribed.Token);
        Assert.Equal(2, (long)await admin.ExecuteAsync("CLIENT", "KILL", "TYPE", "pubsub"));
        await ended.Task.WaitAsync(Patience);
        await restored.Task.WaitAsync(Patience);
        using var patience = new CancellationTokenSource(Patience);
        while (await killer.GetDatabase().PublishAsync(RedisChannel.Literal("news"), "again") == 0)
            await Task.Delay(10, patience.Token);
        Assert.Equal("again", (await queue.ReadAsync(patience.Token)).Message);
    }
}
