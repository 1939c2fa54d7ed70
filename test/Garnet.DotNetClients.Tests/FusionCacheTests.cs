// FusionCache with its Redis backplane and locks, and with ours: caches of several processes that know of each other. Each test has its own
// server.
using System.Collections.Concurrent;
using System.Net;
using Garnet.Fusion;
using Garnet.Testing;
using Microsoft.Extensions.Caching.StackExchangeRedis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using StackExchange.Redis;
using Xunit;
using ZiggyCreatures.Caching.Fusion;
using ZiggyCreatures.Caching.Fusion.Backplane;
using ZiggyCreatures.Caching.Fusion.Backplane.StackExchangeRedis;
using ZiggyCreatures.Caching.Fusion.Locking.Distributed.Redis;
using ZiggyCreatures.Caching.Fusion.Serialization.SystemTextJson;

namespace Garnet.DotNetClients.Tests;

public sealed class FusionCacheTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    public enum Backend
    {
        StackExchange,
        Resp,
        InProcess,
    }

    public static TheoryData<Backend> Backends => [Backend.StackExchange, Backend.Resp, Backend.InProcess];

    [Theory]
    [MemberData(nameof(Backends))]
    public async Task What_one_cache_changes_the_others_no_longer_serve(Backend backend)
    {
        using var server = TestServer.Start();
        await using ServiceProvider first = Provide(server, backend);
        await using ServiceProvider second = Provide(server, backend);
        IFusionCache writer = first.GetRequiredService<IFusionCache>();
        IFusionCache reader = second.GetRequiredService<IFusionCache>();
        await writer.SetAsync("k", "old");
        // The caches subscribe on their own time: until both have, a change is not heard.
        await WaitForAsync(() => Task.FromResult(Subscribers(server) == 2));
        Assert.Equal("old", await reader.GetOrDefaultAsync<string>("k"));
        await writer.SetAsync("k", "new");
        await WaitForAsync(async () => await reader.GetOrDefaultAsync<string>("k") == "new");
        await writer.RemoveAsync("k");
        await WaitForAsync(async () => await reader.GetOrDefaultAsync<string>("k") is null);
        await reader.SetAsync("tagged", "t", tags: ["numbers"]);
        Assert.Equal("t", await writer.GetOrDefaultAsync<string>("tagged"));
        await reader.RemoveByTagAsync("numbers");
        await WaitForAsync(async () => await writer.GetOrDefaultAsync<string>("tagged") is null);
    }

    [Theory]
    [MemberData(nameof(Backends))]
    public async Task A_value_that_all_caches_lack_is_computed_once(Backend backend)
    {
        using var server = TestServer.Start();
        ServiceProvider[] providers = [.. Enumerable.Range(0, 4).Select(_ => Provide(server, backend))];
        int computed = 0;
        for (int round = 0; round < 2; round++)
        {
            string key = $"slow {round}";
            ValueTask<int>[] calls =
            [
                .. providers.Select(provider => provider.GetRequiredService<IFusionCache>().GetOrSetAsync<int>(key, ComputeAsync)),
            ];
            foreach (ValueTask<int> call in calls)
                Assert.Equal(round + 1, await call);
        }

        Assert.Equal(2, computed);
        using RespExchange asking = server.Connect();
        Assert.Contains("cmdstat_evalsha", asking.ExecuteText("INFO", "commandstats"));
        foreach (ServiceProvider provider in providers)
            await provider.DisposeAsync();

        async Task<int> ComputeAsync(FusionCacheFactoryExecutionContext<int> context, CancellationToken cancellation)
        {
            int result = Interlocked.Increment(ref computed);
            await Task.Delay(20, cancellation);
            return result;
        }
    }

    private static int Subscribers(TestServer server)
    {
        using RespExchange asking = server.Connect();
        string[] channels = [.. asking.ExecuteText("PUBSUB", "CHANNELS").Split("\r\n").Where(static line => line.Contains("Backplane"))];
        return channels.Length == 0 ? 0 : int.Parse(asking.ExecuteText("PUBSUB", "NUMSUB", channels[0]).Split("\r\n")[3][1..]);
    }

    // What was missed while the link was down is not served either: the cache is told of the new connection, and clears up.
    [Fact]
    public async Task A_backplane_that_lost_its_link_subscribes_again()
    {
        using var server = TestServer.Start();
        await using ServiceProvider first = Provide(server, Backend.Resp);
        await using ServiceProvider second = Provide(server, Backend.Resp);
        IFusionCache writer = first.GetRequiredService<IFusionCache>();
        IFusionCache reader = second.GetRequiredService<IFusionCache>();
        await writer.SetAsync("k", "old");
        await WaitForAsync(() => Task.FromResult(Subscribers(server) == 2));
        Assert.Equal("old", await reader.GetOrDefaultAsync<string>("k"));
        using (RespExchange asking = server.Connect())
            asking.ExecuteText("CLIENT", "KILL", "TYPE", "pubsub");
        await WaitForAsync(() => Task.FromResult(Subscribers(server) == 2));
        await writer.SetAsync("k", "new");
        await WaitForAsync(async () => await reader.GetOrDefaultAsync<string>("k") == "new");
    }

    // Bytes that no cache has sent are passed over, and do not end the subscription.
    [Theory]
    [InlineData(Backend.Resp)]
    [InlineData(Backend.InProcess)]
    public async Task Foreign_messages_do_not_silence_a_backplane(Backend backend)
    {
        using var server = TestServer.Start();
        await using ServiceProvider first = Provide(server, backend);
        BackplaneLines log = new();
        ManualTimeProvider clock = new();
        await using ServiceProvider second = Provide(server, backend, log, clock);
        IFusionCache writer = first.GetRequiredService<IFusionCache>();
        IFusionCache reader = second.GetRequiredService<IFusionCache>();
        await writer.SetAsync("k", "old");
        await WaitForAsync(() => Task.FromResult(Subscribers(server) == 2));
        Assert.Equal("old", await reader.GetOrDefaultAsync<string>("k"));
        string channel = server.Server.InProcess.Execute("PUBSUB", "CHANNELS").Children[0].AsString()!;
        byte[] form = BackplaneMessage.ToByteArray(BackplaneMessage.CreateForEntrySet("another", "k", 1));
        byte[][] strange =
        [
            .. Enumerable.Range(0, form.Length).Select(length => form[..length]),
            .. Enumerable.Range(0, form.Length).Select(at => (byte[])[.. form[..at], (byte)~form[at], .. form[(at + 1)..]]),
        ];
        foreach (byte[] message in strange)
            await PublishAsync(message);
        await writer.SetAsync("k", "new");
        await WaitForAsync(async () => await reader.GetOrDefaultAsync<string>("k") == "new");
        // Reported at once, and then once a minute with their number.
        clock.Advance(TimeSpan.FromMinutes(1));
        await PublishAsync([]);
        await WaitForAsync(() => Task.FromResult(log.Lines.Count == 2));
        string about = $"messages on the channel {channel} were not FusionCache's; the backplane ignores them.";
        Assert.Equal([$"1 {about}", $"{strange.Count(static message => !IsReadable(message))} {about}"], log.Lines);

        async Task PublishAsync(byte[] message) =>
            await server.Server.InProcess.ExecuteAsync("PUBLISH", [System.Text.Encoding.UTF8.GetBytes(channel), message]);
    }

    // What the cache throws concerns one message, or one report of a connection, and nothing after it.
    [Theory]
    [InlineData(Backend.Resp)]
    [InlineData(Backend.InProcess)]
    public async Task A_cache_that_throws_does_not_silence_its_backplane(Backend backend)
    {
        using var server = TestServer.Start();
        BackplaneLines log = new();
        ManualTimeProvider clock = new();
        var services = new ServiceCollection();
        services.AddLogging(logging => logging.AddProvider(log)).AddSingleton<TimeProvider>(clock);
        IFusionCacheBuilder builder = services.AddFusionCache();
        AddGarnet(services, builder, server, backend);
        await using ServiceProvider provider = services.BuildServiceProvider();
        ConcurrentQueue<bool> told = new();
        ConcurrentQueue<string> heard = new();
        BackplaneSubscriptionOptions options = new(
            "name",
            "instance",
            "c",
            connection =>
            {
                told.Enqueue(connection.IsReconnection);
                if (told.Count == 1)
                    throw new OperationCanceledException("not now");
            },
            message =>
            {
                heard.Enqueue(message.CacheKey!);
                if (heard.Count == 1)
                    throw new NotSupportedException("not this one");
            },
            null,
            null
        );
        IFusionCacheBackplane backplane = builder.BackplaneFactory!(provider);
        await backplane.SubscribeAsync(options);
        // Told again at the next look, and not after that.
        await WaitForAsync(() =>
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            return Task.FromResult(told.Count == 2);
        });
        foreach (string key in (string[])["first", "second", "third"])
            await backplane.PublishAsync(BackplaneMessage.CreateForEntrySet("another", key, 1), new FusionCacheEntryOptions());
        await WaitForAsync(() => Task.FromResult(heard.Count == 3));
        await backplane.UnsubscribeAsync();
        Assert.Equal([false, true], told);
        Assert.Equal(["first", "second", "third"], heard);
        Assert.Equal(
            [
                "The backplane on the channel c failed to look after its connection (1 times).",
                "FusionCache failed at 1 messages on the channel c; what they said is not applied.",
            ],
            log.Lines
        );
    }

    private static bool IsReadable(byte[] message) => Record.Exception(() => BackplaneMessage.FromByteArray(message)) is null;

    private static ServiceProvider Provide(TestServer server, Backend backend, BackplaneLines? log = null, TimeProvider? clock = null)
    {
        var services = new ServiceCollection();
        if (log is not null)
            services.AddLogging(logging => logging.AddProvider(log));
        if (clock is not null)
            services.AddSingleton(clock);
        IFusionCacheBuilder builder = services
            .AddFusionCache()
            .WithDefaultEntryOptions(
                new FusionCacheEntryOptions(TimeSpan.FromHours(1))
                {
                    AllowBackgroundDistributedCacheOperations = false,
                    AllowBackgroundBackplaneOperations = false,
                }
            )
            .WithSerializer(new FusionCacheSystemTextJsonSerializer());
        if (backend == Backend.StackExchange)
            AddRedis(builder, RedisConnection.OptionsFor(server));
        else
            AddGarnet(services, builder, server, backend);
        return services.BuildServiceProvider();
    }

    private static void AddRedis(IFusionCacheBuilder builder, ConfigurationOptions options) =>
        builder
            .WithDistributedCache(new RedisCache(new RedisCacheOptions { ConfigurationOptions = options }))
            .WithBackplane(new RedisBackplane(new RedisBackplaneOptions { ConfigurationOptions = options }))
            .WithRedisDistributedLocker(locker => locker.ConfigurationOptions = options);

    private static void AddGarnet(ServiceCollection services, IFusionCacheBuilder builder, TestServer server, Backend backend)
    {
        services.AddSingleton(server.Server.InProcess);
        IPEndPoint? endPoint = backend == Backend.Resp ? server.EndPoint : null;
        services.AddGarnetDistributedCache(options => options.EndPoint = endPoint).AddGarnetLocks(options => options.EndPoint = endPoint);
        builder.WithRegisteredDistributedCache().WithGarnetBackplane(options => options.EndPoint = endPoint).WithGarnetDistributedLocker();
    }

    private static async Task WaitForAsync(Func<Task<bool>> condition)
    {
        long start = Environment.TickCount64;
        while (!await condition())
        {
            Assert.True(Environment.TickCount64 - start < Patience.TotalMilliseconds, "it never happened");
            await Task.Delay(2);
        }
    }

    // The backplane's lines, not those of the cache.
    private sealed class BackplaneLines : ILoggerProvider, ILogger
    {
        public ConcurrentQueue<string> Lines { get; } = new();

        public ILogger CreateLogger(string categoryName) => categoryName == typeof(GarnetBackplane).FullName ? this : NullLogger.Instance;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter
        ) => Lines.Enqueue(formatter(state, exception));

        public void Dispose() { }
    }
}
