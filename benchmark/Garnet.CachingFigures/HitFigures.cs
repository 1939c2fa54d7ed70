// Hits in the memory of the process, in the server of the process and over a connection. One caller.
using System.Net;
using Garnet.Caching;
using Garnet.Client;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using ZiggyCreatures.Caching.Fusion;

namespace Garnet.CachingFigures;

/// <summary>A text of 100 characters under one key, with one tag.</summary>
internal static class HitFigures
{
    private const int Local = 200_000;
    private const int Compared = 3_000;
    private static readonly string Text = new('x', 100);
    private static readonly string[] Tags = ["t"];
    private static readonly HybridCacheEntryOptions NoLocal = new() { Flags = HybridCacheEntryFlags.DisableLocalCache };
    private static readonly HybridCacheEntryOptions NoLocalRead = new() { Flags = HybridCacheEntryFlags.DisableLocalCacheRead };

    public static async Task RunAsync(string address)
    {
        HybridCache microsofts = Services.Microsofts(address);
        IFusionCache fusion = Services.Fusion(address);
        GarnetHybridCache ours = Services.Ours(address);
        foreach ((string name, HybridCache cache) in (ReadOnlySpan<(string, HybridCache)>)[("Microsoft", microsofts), ("Garnet", ours)])
            cache.SetAsync("hit", Text, tags: Tags).AsTask().GetAwaiter().GetResult();
        await fusion.SetAsync("hit", Text, tags: Tags);
        await Timing.LoopAsync("L1 hit: Microsoft", Local, () => Hit(microsofts, null));
        await Timing.LoopAsync("L1 hit: FusionCache", Local, async () => _ = await fusion.GetOrDefaultAsync<string>("hit"));
        await Timing.LoopAsync("L1 hit: Garnet", Local, () => Hit(ours, null));
        await RemoteAsync(address, microsofts, ours, fusion);
    }

    private static async Task RemoteAsync(string address, HybridCache microsofts, GarnetHybridCache ours, IFusionCache fusion)
    {
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = IPEndPoint.Parse(address) });
        await client.CallAsync("SET", "plain", Text);
        FusionCacheEntryOptions skipsMemory = new(TimeSpan.FromMinutes(5)) { SkipMemoryCacheRead = true, SkipMemoryCacheWrite = true };
        await Timing.CompareAsync(
            Compared,
            ("L2 hit over RESP: a plain GET", async () => _ = await client.CallAsync("GET", "plain")),
            ("L2 hit over RESP: Garnet", () => Hit(ours, NoLocal)),
            ("L2 hit over RESP: Garnet, kept in memory", () => Hit(ours, NoLocalRead)),
            ("L2 hit over RESP: Microsoft", () => Hit(microsofts, NoLocal)),
            ("L2 hit over RESP: FusionCache", async () => _ = await fusion.GetOrDefaultAsync<string>("hit", options: skipsMemory))
        );
    }

    /// <summary>Hits in the server of the process, beside what they are made of.</summary>
    public static async Task InProcessAsync()
    {
        await using GarnetServer server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        await server.StartAsync();
        var services = new ServiceCollection();
        services.AddSingleton(server.InProcess);
        services.AddGarnetHybridCache();
        await using ServiceProvider provider = services.BuildServiceProvider();
        GarnetHybridCache ours = provider.GetRequiredService<GarnetHybridCache>();
        await ours.SetAsync("hit", Text, tags: Tags);
        server.InProcess.Set("plain", Text);
        await Timing.LoopAsync("in the process: a plain GET", Local, () => Ignore(server.InProcess.Get("plain")));
        await Timing.LoopAsync("in the process: a plain PTTL", Local, () => Ignore(server.InProcess.GetTimeToLive("plain")));
        await Timing.LoopAsync("L2 hit in the process", Local, () => Hit(ours, NoLocal));
        await Timing.LoopAsync("L2 hit in the process, kept in memory", Local, () => Hit(ours, NoLocalRead));
    }

    private static ValueTask Ignore<T>(T _) => ValueTask.CompletedTask;

    private static async ValueTask Hit(HybridCache cache, HybridCacheEntryOptions? options) =>
        _ = await cache.GetOrCreateAsync<string>("hit", static _ => throw new InvalidOperationException("No hit."), options);
}
