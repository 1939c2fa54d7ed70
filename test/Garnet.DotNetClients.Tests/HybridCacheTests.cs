// Microsoft's HybridCache over our caches, in the process and over RESP, and over StackExchange.Redis. Each test has a server of its own.
using Garnet.Testing;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using StackExchange.Redis;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class HybridCacheTests
{
    private const int Callers = 1000;

    public enum Backend
    {
        InProcess,
        Resp,
        StackExchange,
    }

    public static TheoryData<Backend> Backends => [Backend.InProcess, Backend.Resp, Backend.StackExchange];

    [Theory]
    [MemberData(nameof(Backends))]
    public async Task A_thousand_callers_cost_one_call_of_the_loader(Backend backend)
    {
        await using Application application = await Application.StartAsync(backend);
        int calls = 0;
        var gate = new TaskCompletionSource();
        Task<string>[] all =
        [
            .. Enumerable
                .Range(0, Callers)
                .Select(_ =>
                    application
                        .Cache.GetOrCreateAsync(
                            "k",
                            async _ =>
                            {
                                Interlocked.Increment(ref calls);
                                await gate.Task;
                                return "loaded";
                            }
                        )
                        .AsTask()
                ),
        ];
        gate.SetResult();
        Assert.All(await Task.WhenAll(all), static value => Assert.Equal("loaded", value));
        Assert.Equal(1, calls);
    }

    // What one process loaded another one finds: its own first level is empty.
    [Theory]
    [MemberData(nameof(Backends))]
    public async Task A_second_cache_finds_what_the_first_has_stored(Backend backend)
    {
        await using Application application = await Application.StartAsync(backend);
        Assert.Equal("from the first", await application.Cache.GetOrCreateAsync("k", static _ => ValueTask.FromResult("from the first")));
        // The value is returned before it is stored.
        Assert.True(SpinWait.SpinUntil(() => application.Distributed.Get("k") is not null, TimeSpan.FromMinutes(2)));
        await using ServiceProvider second = Provide(application.Distributed);
        Assert.Equal(
            "from the first",
            await second.GetRequiredService<HybridCache>().GetOrCreateAsync("k", static _ => ValueTask.FromResult("from the second"))
        );
    }

    [Theory]
    [MemberData(nameof(Backends))]
    public async Task Entries_are_removed_by_key_and_by_tag(Backend backend)
    {
        await using Application application = await Application.StartAsync(backend);
        await application.Cache.SetAsync("a", 1, tags: ["numbers"]);
        await application.Cache.SetAsync("b", 2, tags: ["numbers"]);
        await application.Cache.SetAsync("c", 3);
        await application.Cache.RemoveByTagAsync("numbers");
        await application.Cache.RemoveAsync("c");
        foreach (string key in new[] { "a", "b", "c" })
            Assert.Equal(-1, await application.Cache.GetOrCreateAsync(key, static _ => ValueTask.FromResult(-1)));
    }

    private static ServiceProvider Provide(IDistributedCache distributed)
    {
        var services = new ServiceCollection();
        services.AddSingleton(distributed);
        services.AddHybridCache();
        return services.BuildServiceProvider();
    }

    private sealed class Application : IAsyncDisposable
    {
        private IAsyncDisposable? _owner;
        private ServiceProvider _services = null!;

        public IDistributedCache Distributed { get; private set; } = null!;

        public HybridCache Cache => _services.GetRequiredService<HybridCache>();

        public static async Task<Application> StartAsync(Backend backend)
        {
            var application = new Application();
            if (backend == Backend.StackExchange)
            {
                RedisConnection redis = await RedisConnection.OpenAsync();
                application._owner = redis;
                application.Distributed = Microsoft(redis.Multiplexer);
            }
            else
            {
                IHost host = BuildHost(backend == Backend.Resp ? TestServer.Start() : null, out IAsyncDisposable owner);
                await host.StartAsync();
                application._owner = owner;
                application.Distributed = host.Services.GetRequiredService<IDistributedCache>();
            }

            application._services = Provide(application.Distributed);
            return application;
        }

        public async ValueTask DisposeAsync()
        {
            await _services.DisposeAsync();
            await _owner!.DisposeAsync();
        }

        private static IDistributedCache Microsoft(IConnectionMultiplexer multiplexer)
        {
            var services = new ServiceCollection();
            services.AddStackExchangeRedisCache(options => options.ConnectionMultiplexerFactory = () => Task.FromResult(multiplexer));
            return services.BuildServiceProvider().GetRequiredService<IDistributedCache>();
        }

        private static IHost BuildHost(TestServer? server, out IAsyncDisposable owner)
        {
            HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
            if (server is null)
            {
                builder.Services.AddGarnet(static options => (options.Port, options.Bind) = (0, []));
                builder.Services.AddGarnetDistributedCache();
            }
            else
            {
                builder.Services.AddGarnetDistributedCache(options => options.EndPoint = server.EndPoint);
            }

            IHost host = builder.Build();
            owner = new Owner(host, server);
            return host;
        }

        private sealed class Owner(IHost host, TestServer? server) : IAsyncDisposable
        {
            public async ValueTask DisposeAsync()
            {
                await host.StopAsync();
                host.Dispose();
                server?.Dispose();
            }
        }
    }
}
