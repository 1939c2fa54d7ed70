// Removal of a tag that many entries carry, with instances in other processes. One caller.
using System.Diagnostics;
using System.Globalization;
using Garnet.Caching;
using Garnet.Client;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;

namespace Garnet.CachingFigures;

/// <summary>Seven children and this process are the eight instances.</summary>
internal static class RemovalFigures
{
    private const int Children = 7;
    private const int Batch = 1000;
    private const int Removals = 500;
    private const int Rounds = 3;
    private static readonly string[] Tags = ["many"];

    public static async Task RunAsync(string address, int entries)
    {
        Process[] children = [.. Enumerable.Range(0, Children).Select(_ => StartChild("instance", address))];
        try
        {
            foreach (Process child in children)
                await child.StandardOutput.ReadLineAsync();
            GarnetHybridCache ours = Services.Ours(address);
            // The children compile their part during the first ones.
            await Timing.EachAsync("removals in order to warm up", Removals, _ => ours.RemoveByTagAsync("none"));
            await FillAsync(ours, entries);
            for (int round = 0; round < Rounds; round++)
                await Timing.EachAsync($"removal of a tag of {entries:N0}: Garnet", Removals, _ => ours.RemoveByTagAsync("many"));
            await StampedeAsync(address, ours, children);
            Signal(children[0], "STOP");
            await Timing.EachAsync("the same, one instance stopped", 2, _ => ours.RemoveByTagAsync("many"));
            Signal(children[0], "CONT");
            await ours.DisposeAsync();
            await OutputAsync(address, entries);
        }
        finally
        {
            foreach (Process child in children)
                child.Kill();
        }
    }

    /// <summary>An instance that loads a key when it is told to, until its input ends.</summary>
    public static async Task InstanceAsync(string address)
    {
        GarnetHybridCache cache = Services.Ours(address);
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = System.Net.IPEndPoint.Parse(address) });
        await cache.TryGetAsync<string>("none");
        Console.WriteLine("ready");
        while (await Console.In.ReadLineAsync() is { } key)
        {
            await LoadAsync(cache, client, key, 125);
            Console.WriteLine("done");
        }
    }

    private static async Task StampedeAsync(string address, GarnetHybridCache ours, Process[] children)
    {
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = System.Net.IPEndPoint.Parse(address) });
        for (int i = 0; i < 5; i++)
        {
            string key = "stampede" + i;
            long start = Stopwatch.GetTimestamp();
            foreach (Process child in children)
                await child.StandardInput.WriteLineAsync(key);
            await LoadAsync(ours, client, key, 125);
            foreach (Process child in children)
                await child.StandardOutput.ReadLineAsync();
            RespValue loads = await client.CallAsync("GET", "loads:" + key);
            Timing.Print(
                "1,000 callers on 8 instances",
                $"{loads.AsString()} load, {Stopwatch.GetElapsedTime(start).TotalMilliseconds:N0} ms"
            );
        }
    }

    private static Task LoadAsync(GarnetHybridCache cache, RespMultiplexer client, string key, int callers) =>
        Task.WhenAll(
            Enumerable
                .Range(0, callers)
                .Select(_ =>
                    cache
                        .GetOrCreateAsync(
                            key,
                            async _ =>
                            {
                                await client.CallAsync("INCR", "loads:" + key);
                                await Task.Delay(20);
                                return "loaded";
                            }
                        )
                        .AsTask()
                )
        );

    private static async Task FillAsync(GarnetHybridCache cache, int entries)
    {
        for (int at = 0; at < entries; at += Batch)
        {
            KeyValuePair<string, int>[] values = [.. Enumerable.Range(at, Batch).Select(static i => KeyValuePair.Create("k" + i, i))];
            await cache.SetManyAsync(values, new GarnetCacheEntryOptions { Expiration = TimeSpan.FromHours(1) }, Tags);
        }
    }

    private static async Task OutputAsync(string address, int entries)
    {
        foreach (bool isOurs in (bool[])[true, false])
        {
            var services = new ServiceCollection();
            services.AddLogging();
            if (isOurs)
                services.AddGarnetOutputCache(options => (options.Address, options.InstanceName) = (address, "figures:"));
            else
                services.AddOutputCache().AddStackExchangeRedisOutputCache(options => options.Configuration = address);
            await using ServiceProvider provider = services.BuildServiceProvider();
            IOutputCacheStore store = provider.GetRequiredService<IOutputCacheStore>();
            byte[] page = new byte[16];
            for (int at = 0; at < entries; at += Batch)
            {
                await Task.WhenAll(
                    Enumerable
                        .Range(at, Batch)
                        .Select(i =>
                            store
                                .SetAsync(
                                    i.ToString(CultureInfo.InvariantCulture),
                                    page,
                                    Tags,
                                    TimeSpan.FromHours(1),
                                    CancellationToken.None
                                )
                                .AsTask()
                        )
                );
            }

            await Timing.EachAsync(
                $"output cache, eviction of {entries:N0}: {(isOurs ? "Garnet" : "Microsoft")}",
                isOurs ? 200 : 1,
                _ => store.EvictByTagAsync("many", CancellationToken.None)
            );
        }
    }

    /// <summary>Starts this program for a scenario of a child.</summary>
    public static Process StartChild(string scenario, string address)
    {
        // Started as "dotnet Garnet.CachingFigures.dll", this process is dotnet's.
        string program = Environment.ProcessPath!;
        bool isDotnet = Path.GetFileNameWithoutExtension(program) == "dotnet";
        string[] before = isDotnet ? [typeof(RemovalFigures).Assembly.Location] : [];
        return Process.Start(
            new ProcessStartInfo(program, [.. before, scenario, address]) { RedirectStandardInput = true, RedirectStandardOutput = true }
        )!;
    }

    private static void Signal(Process process, string name) =>
        Process.Start("/bin/kill", [$"-{name}", process.Id.ToString(CultureInfo.InvariantCulture)]).WaitForExit();
}
