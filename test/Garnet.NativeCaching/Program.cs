// An application that uses hybrid cache, output cache, locks and limits, and can be published trimmed and native: in the process and over a
// connection. Ends with 0 when each did what it is for.
using System.Net;
using System.Text.Json;
using System.Threading.RateLimiting;
using Garnet;
using Garnet.Caching;
using Garnet.NativeCaching;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

await using GarnetServer server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
await server.StartAsync();
foreach (EndPoint? endPoint in (EndPoint?[])[null, server.EndPoints[0]])
{
    ServiceCollection services = new();
    services.AddLogging();
    services.AddSingleton(server.InProcess);
    services.AddKeyedSingleton<JsonSerializerOptions>(
        (object)typeof(IHybridCacheSerializer<>),
        new JsonSerializerOptions(JsonSerializerDefaults.Web) { TypeInfoResolver = PriceJson.Default }
    );
    services.AddGarnetHybridCache(options => options.EndPoint = endPoint);
    services.AddGarnetOutputCache(options => options.EndPoint = endPoint);
    services.AddGarnetDistributedCache(options => options.EndPoint = endPoint);
    services.AddGarnetLocks(options => options.EndPoint = endPoint).AddGarnetLimits(options => options.EndPoint = endPoint);
    await using ServiceProvider provider = services.BuildServiceProvider();
    await CacheAsync(provider);
    await LockAsync(provider);
}

Console.WriteLine("done");
return 0;

static async Task CacheAsync(IServiceProvider services)
{
    GarnetHybridCache cache = services.GetRequiredService<GarnetHybridCache>();
    int loads = 0;
    HybridCacheEntryOptions fromServer = new() { Flags = HybridCacheEntryFlags.DisableLocalCacheRead };
    for (int i = 0; i < 3; i++)
    {
        Price price = await cache.GetOrCreateAsync(
            "price:tea",
            _ => ValueTask.FromResult(new Price("tea", ++loads)),
            fromServer,
            ["prices"]
        );
        Expect(price == new Price("tea", 1), "the value that was loaded first");
    }

    await cache.RemoveByTagAsync("prices");
    Expect(!(await cache.TryGetAsync<Price>("price:tea")).Found, "no value after its tag's removal");
    IOutputCacheStore pages = services.GetRequiredService<IOutputCacheStore>();
    await pages.SetAsync("page", [1], ["pages"], TimeSpan.FromMinutes(1), CancellationToken.None);
    Expect(await pages.GetAsync("page", CancellationToken.None) is [1], "the page");
    await pages.EvictByTagAsync("pages", CancellationToken.None);
    Expect(await pages.GetAsync("page", CancellationToken.None) is null, "no page after its tag's eviction");
}

static async Task LockAsync(IServiceProvider services)
{
    IGarnetLocks locks = services.GetRequiredService<IGarnetLocks>();
    await using (IGarnetLock held = await locks.AcquireAsync("a"))
        Expect(await locks.TryAcquireAsync("a", TimeSpan.Zero) is null && held.IsHeld, "one owner of a lock");
    using RateLimiter limiter = services.GetRequiredService<IGarnetLimits>().Concurrency("a", 1, queueLimit: 1);
    RateLimitLease lease = await limiter.AcquireAsync();
    Task<RateLimitLease> waiting = limiter.AcquireAsync().AsTask();
    Expect(lease.IsAcquired && !waiting.IsCompleted, "one permit at once");
    lease.Dispose();
    Expect((await waiting).IsAcquired, "the permit that came back");
    (await waiting).Dispose();
    using RateLimiter window = services.GetRequiredService<IGarnetLimits>().FixedWindow("w" + Guid.NewGuid(), 1, TimeSpan.FromHours(1));
    Expect((await window.AcquireAsync()).IsAcquired && !(await window.AcquireAsync()).IsAcquired, "one permit of a window");
}

static void Expect(bool isAsExpected, string what)
{
    if (!isAsExpected)
        throw new InvalidOperationException($"Expected {what}.");
}
