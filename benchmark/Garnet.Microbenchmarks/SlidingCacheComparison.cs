// The distributed cache's reads with a sliding expiry over a socket, compared with the usual scheme of a hash and a second command. Started
// by name; takes a few seconds.
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;
using Garnet.Caching;
using Garnet.Caching.Backends;
using Garnet.Client;
using Microsoft.Extensions.Caching.Distributed;

namespace Garnet.Microbenchmarks;

/// <summary>
/// Both schemes use the same client on the same server and the same keys. The usual scheme keeps value, sliding time and limit in a hash,
/// reads all three (HMGET), then renews the expiry (EXPIRE) and waits for the reply.
/// </summary>
internal static class SlidingCacheComparison
{
    private const int Keys = 10_000;
    private const int ValueBytes = 500;
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Sliding = TimeSpan.FromMinutes(20);

    /// <summary>Prints the table.</summary>
    public static async Task RunAsync()
    {
        await using GarnetServer server = new GarnetServerBuilder { Options = new GarnetOptions() }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        await server.StartAsync();
        RespMultiplexerOptions options = new() { EndPoint = server.EndPoints[0] };
        using GarnetDistributedCache cache = new(new RespBackend(options), "record:", TimeProvider.System);
        await using RespMultiplexer client = new(options);
        byte[] value = new byte[ValueBytes];
        for (int i = 0; i < Keys; i++)
        {
            await cache.SetAsync(Name(i), value, new DistributedCacheEntryOptions { SlidingExpiration = Sliding });
            await client.CallAsync([
                Bytes("HSET"),
                Bytes("hash:" + Name(i)),
                Bytes("absexp"),
                Bytes("-1"),
                Bytes("sldexp"),
                Bytes(Ticks),
                Bytes("data"),
                value,
            ]);
        }

        Console.WriteLine("| callers at once | one record, reads/s | hash and EXPIRE, reads/s | ratio |");
        Console.WriteLine("|---|---|---|---|");
        foreach (int callers in (int[])[1, 8, 64])
        {
            // Interleaved, best of three, so that other load on the machine affects both alike.
            double record = 0,
                hash = 0;
            for (int round = 0; round < 3; round++)
            {
                record = Math.Max(record, await MeasureAsync(callers, async key => (await cache.GetAsync(key))!.Length));
                hash = Math.Max(hash, await MeasureAsync(callers, key => ReadHashAsync(client, key)));
            }

            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {callers} | {record:N0} | {hash:N0} | {record / hash:F2} |"));
        }

        await server.StopAsync();
    }

    private static string Ticks => Sliding.Ticks.ToString(CultureInfo.InvariantCulture);

    private static string Name(int key) => "session:" + key.ToString("D6", CultureInfo.InvariantCulture);

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    private static async Task<int> ReadHashAsync(RespMultiplexer client, string key)
    {
        byte[] name = Bytes("hash:" + key);
        RespValue fields = await client.CallAsync([Bytes("HMGET"), name, Bytes("absexp"), Bytes("sldexp"), Bytes("data")]);
        long ticks = long.Parse(fields[1].Text, CultureInfo.InvariantCulture);
        string seconds = ((long)TimeSpan.FromTicks(ticks).TotalSeconds).ToString(CultureInfo.InvariantCulture);
        RespValue renewed = await client.CallAsync([Bytes("EXPIRE"), name, Bytes(seconds)]);
        return renewed.Integer == 1 ? fields[2].Bytes.Length : throw new InvalidOperationException("The hash is gone.");
    }

    private static async Task<double> MeasureAsync(int callers, Func<string, Task<int>> read)
    {
        long reads = 0;
        long start = Stopwatch.GetTimestamp();
        await Task.WhenAll(
            Enumerable
                .Range(0, callers)
                .Select(id =>
                    Task.Run(async () =>
                    {
                        Random random = new(id);
                        long own = 0;
                        for (; Stopwatch.GetElapsedTime(start) < Period; own++)
                        {
                            if (await read(Name(random.Next(Keys))) != ValueBytes)
                                throw new InvalidOperationException("A value is not as long as it was.");
                        }

                        Interlocked.Add(ref reads, own);
                    })
                )
        );
        return reads / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }
}
