// Caches, locks and limits taken from scopes, by a container that checks them: what they share outlives each scope.
using System.Threading.RateLimiting;
using Garnet.Testing;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Xunit;

namespace Garnet.Caching.Tests;

public sealed class ScopeTests
{
    private static readonly Type[] Shared =
    [
        typeof(IDistributedCache),
        typeof(IOutputCacheStore),
        typeof(HybridCache),
        typeof(GarnetHybridCache),
        typeof(IGarnetLocks),
        typeof(IGarnetLimits),
    ];

    public static TheoryData<bool> Transports => [false, true];

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Every_scope_has_the_same_services_and_ends_without_them(bool overSocket)
    {
        using TestServer? remote = overSocket ? TestServer.Start() : null;
        using IHost host = Build(remote);
        await host.StartAsync();
        for (int i = 0; i < 3; i++)
        {
            await using AsyncServiceScope scope = host.Services.CreateAsyncScope();
            Assert.All(Shared, type => Assert.Same(host.Services.GetService(type), scope.ServiceProvider.GetRequiredService(type)));
            Request request = scope.ServiceProvider.GetRequiredService<Request>();
            Assert.Equal("1", await request.WorkAsync());
        }

        // Also at once, which a container of the application does without an asynchronous method.
        using (IServiceScope scope = host.Services.CreateScope())
            scope.ServiceProvider.GetRequiredService<IGarnetLimits>();
        await using (await host.Services.GetRequiredService<IGarnetLocks>().AcquireAsync("request"))
        {
            // Each scope has given it back.
        }

        await host.StopAsync();
    }

    // A loader goes on when its first caller's scope has ended, so that it must not use what that has taken with it.
    [Fact]
    public async Task A_loader_outlives_the_scope_of_its_first_caller()
    {
        using IHost host = Build(null);
        await host.StartAsync();
        HybridCache cache = host.Services.GetRequiredService<HybridCache>();
        TaskCompletionSource begun = new(),
            gate = new();
        using CancellationTokenSource ended = new();
        Task<string> first;
        await using (AsyncServiceScope scope = host.Services.CreateAsyncScope())
        {
            first = scope
                .ServiceProvider.GetRequiredService<HybridCache>()
                .GetOrCreateAsync("k", LoadAsync, cancellationToken: ended.Token)
                .AsTask();
            await begun.Task;
        }

        Task<string> second = cache.GetOrCreateAsync("k", static _ => ValueTask.FromResult("another")).AsTask();
        await ended.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        gate.SetResult();
        Assert.Equal("loaded", await second);
        await host.StopAsync();

        async ValueTask<string> LoadAsync(CancellationToken cancel)
        {
            begun.SetResult();
            await gate.Task.WaitAsync(cancel);
            return "loaded";
        }
    }

    // The container ends while a lock is waited for and a permit is out: nothing hangs and nothing throws on the way.
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task The_container_ends_during_calls(bool overSocket, bool atOnce)
    {
        using var remote = TestServer.Start();
        ServiceCollection services = [];
        if (!overSocket)
            services.AddSingleton(remote.Server.InProcess);
        Register(services, overSocket ? remote : null);
        ServiceProvider provider = services.BuildServiceProvider(Checked);
        IGarnetLocks locks = provider.GetRequiredService<IGarnetLocks>();
        HybridCache cache = provider.GetRequiredService<HybridCache>();
        Assert.Equal(1, await cache.GetOrCreateAsync("k", static _ => ValueTask.FromResult(1)));
        IGarnetLock held = await locks.AcquireAsync("a");
        Task<IGarnetLock> waiting = locks.AcquireAsync("a").AsTask();
        RateLimiter limiter = provider.GetRequiredService<IGarnetLimits>().Concurrency("a", 1, queueLimit: 1);
        RateLimitLease permit = await limiter.AcquireAsync();
        if (atOnce)
            provider.Dispose();
        else
            await provider.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
        await held.DisposeAsync();
        permit.Dispose();
        await limiter.DisposeAsync();
    }

    private static ServiceProviderOptions Checked => new() { ValidateScopes = true, ValidateOnBuild = true };

    private static IHost Build(TestServer? remote)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.ConfigureContainer(new DefaultServiceProviderFactory(Checked));
        if (remote is null)
            builder.Services.AddGarnet(static options => (options.Port, options.Bind) = (0, []));
        Register(builder.Services, remote);
        return builder.Build();
    }

    private static void Register(IServiceCollection services, TestServer? remote)
    {
        services
            .AddGarnetDistributedCache(Choose)
            .AddGarnetOutputCache(Choose)
            .AddGarnetHybridCache(Choose)
            .AddKeyedGarnetHybridCache("other", Choose)
            .AddGarnetLocks(Choose)
            .AddKeyedGarnetLocks("other", Choose)
            .AddGarnetLimits(Choose)
            .AddScoped<Request>();

        void Choose(GarnetCacheOptions options) => options.EndPoint = remote?.EndPoint;
    }

    // What an application has in a scope: it takes a lock and keeps it until its scope ends, which waits for the lock's return.
    private sealed class Request(HybridCache cache, IGarnetLocks locks) : IAsyncDisposable
    {
        private IGarnetLock? _held;

        public async Task<string> WorkAsync()
        {
            _held = await locks.AcquireAsync("request");
            return await cache.GetOrCreateAsync("k", static _ => ValueTask.FromResult("1"));
        }

        public ValueTask DisposeAsync() => _held?.DisposeAsync() ?? default;
    }
}
