// The hybrid cache from dependency injection, what is said about wrong settings, and its figures.
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Text.Json;
using System.Text.Json.Serialization;
using Garnet.Caching.Hybrid;
using Garnet.Testing;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Xunit;

namespace Garnet.Caching.Tests.Hybrid;

public sealed partial class HybridRegistrationTests
{
    [Fact]
    public async Task Caches_use_the_server_of_the_process_and_are_found_by_key()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder
            .Services.AddGarnet(static options => (options.Port, options.Bind) = (0, []))
            .AddGarnetHybridCache(static options => options.InstanceName = "a:")
            .AddKeyedGarnetHybridCache("b", static options => options.InstanceName = "b:");
        using IHost host = builder.Build();
        await host.StartAsync();
        HybridCache first = host.Services.GetRequiredService<HybridCache>(),
            second = host.Services.GetRequiredKeyedService<HybridCache>("b");
        Assert.Same(first, host.Services.GetRequiredService<GarnetHybridCache>());
        Assert.Same(second, host.Services.GetRequiredKeyedService<GarnetHybridCache>("b"));
        Assert.Equal("first", await first.GetOrCreateAsync("k", static _ => ValueTask.FromResult("first")));
        Assert.Equal("second", await second.GetOrCreateAsync("k", static _ => ValueTask.FromResult("second")));
        Assert.Equal(2, host.Services.GetRequiredService<IGarnet>().Execute("EXISTS", "a:entry:k", "b:entry:k").Integer);
        // A loader of a scope works with the services of its caller.
        using (IServiceScope scope = host.Services.CreateScope())
        {
            Assert.Equal(
                "first",
                await scope
                    .ServiceProvider.GetRequiredService<HybridCache>()
                    .GetOrCreateAsync("k", static _ => ValueTask.FromResult("none"))
            );
        }

        await host.StopAsync();
    }

    [Theory]
    [InlineData(0, 10_000, 1, "AddGarnetHybridCache: LocalLease is 00:00:00; it must be from 20 ms to 1 minute.")]
    [InlineData(500, 0, 1, "AddGarnetHybridCache: LoaderLease is 00:00:00; it must be from 20 ms to 1 hour.")]
    [InlineData(500, 10_000, 0, "AddGarnetHybridCache: MaximumKeyLength is 0; it must be 1 or more.")]
    public async Task Wrong_settings_are_reported_at_the_start(int localMs, int loaderMs, int keyLength, string message)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Services.AddGarnetHybridCache(options =>
        {
            options.Address = "localhost";
            options.LocalLease = TimeSpan.FromMilliseconds(localMs);
            options.LoaderLease = TimeSpan.FromMilliseconds(loaderMs);
            options.MaximumKeyLength = keyLength;
        });
        using IHost host = builder.Build();
        OptionsValidationException error = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Equal(message, error.Message);
    }

    // As a native application does it: without reflection, types come from a context that a generator has written.
    [Fact]
    public async Task Json_can_be_described_by_a_generated_context()
    {
        using var server = TestServer.Start();
        ServiceCollection services = [];
        services.AddKeyedSingleton<JsonSerializerOptions>(
            typeof(IHybridCacheSerializer<>),
            new JsonSerializerOptions { TypeInfoResolver = ArticleContext.Default }
        );
        services.AddGarnetHybridCache(options => options.EndPoint = server.EndPoint);
        await using ServiceProvider provider = services.BuildServiceProvider();
        GarnetHybridCache cache = provider.GetRequiredService<GarnetHybridCache>();
        await cache.GetOrCreateAsync("k", static _ => ValueTask.FromResult(new Article("tea", 3)));
        Assert.Equal(new Article("tea", 3), (await cache.TryGetAsync<Article>("k")).Value);
        StoredEntry stored = StoredEntry.Read(server.Server.InProcess.Get("entry:k"))!;
        Assert.Equal("""{"Name":"tea","Price":3}"""u8, stored.Payload.Span);
        Assert.Equal(["*"], stored.Tags);
        await Assert.ThrowsAsync<NotSupportedException>(async () => await cache.SetAsync("other", new Version(1, 2)));
        // Each call is told so, and none waits for the one before.
        for (int i = 0; i < 2; i++)
        {
            ValueTask<Version> call = cache.GetOrCreateAsync("other", static _ => ValueTask.FromResult(new Version(1, 2)));
            Assert.True(call.IsFaulted);
            await Assert.ThrowsAsync<NotSupportedException>(async () => await call);
        }
    }

    [Fact]
    public async Task What_the_cache_does_is_counted_under_the_names_of_Microsofts()
    {
        ManualTimeProvider clock = new();
        using var server = TestServer.Start(time: clock);
        await using HybridInstances instances = new(clock, () => server.EndPoint, server.Server.InProcess);
        GarnetHybridCache cache = instances.Create(overSocket: false);
        await HybridInstances.AdvanceAsync(clock, HybridInstances.Lease, cache);
        ConcurrentDictionary<string, long> counts = new();
        using MeterListener listener = new()
        {
            InstrumentPublished = (instrument, meters) =>
            {
                if (ReferenceEquals(instrument.Meter, cache.Parts.Metrics.Meter))
                    meters.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<long>(
            (instrument, value, _, _) => counts.AddOrUpdate(instrument.Name, value, (_, sum) => sum + value)
        );
        listener.Start();
        ConcurrentQueue<string> activities = new();
        using ActivityListener traces = new()
        {
            ShouldListenTo = static source => source.Name == "Microsoft-Extensions-HybridCache",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = activity => activities.Enqueue(activity.OperationName),
        };
        ActivitySource.AddActivityListener(traces);
        for (int i = 0; i < 3; i++)
            await cache.GetOrCreateAsync("k", static _ => ValueTask.FromResult(1), tags: ["t"]);
        await cache.GetOrCreateAsync(
            "k",
            static _ => ValueTask.FromResult(1),
            new HybridCacheEntryOptions { Flags = HybridCacheEntryFlags.DisableLocalCacheRead }
        );
        await cache.SetAsync("other", 2);
        await cache.RemoveByTagAsync(["t", "u"]);
        Assert.Equal("Microsoft-Extensions-HybridCache", cache.Parts.Metrics.Meter.Name);
        Assert.Equal(
            new SortedDictionary<string, long>
            {
                ["total-local-cache-hits"] = 2,
                ["total-local-cache-misses"] = 2,
                ["total-distributed-cache-hits"] = 1,
                ["total-distributed-cache-misses"] = 1,
                ["current-distributed-cache-fetches"] = 0,
                ["total-local-cache-writes"] = 2,
                ["total-distributed-cache-writes"] = 2,
                ["total-tag-invalidations"] = 2,
            },
            new SortedDictionary<string, long>(counts)
        );
        Assert.Contains("HybridCache.GetOrCreate", activities);
        Assert.Contains("HybridCache.RemoveByTag", activities);
    }

    internal sealed record Article(string Name, int Price);

    [JsonSerializable(typeof(Article))]
    internal sealed partial class ArticleContext : JsonSerializerContext;
}
