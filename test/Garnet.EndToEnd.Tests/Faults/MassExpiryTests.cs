// Very many keys that expire at once, while clients are served. One process per test.
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class MassExpiryTests(ITestOutputHelper output)
{
    private const int Lasting = 10_000;
    private const int KeysInARequest = 1000;

    [Fact]
    public void Mass_expiry_delays_no_client_and_frees_the_memory()
    {
        int count = FaultScale.Count(100_000, 1_000_000);
        using var target = new FaultTarget("epoll");
        using RespExchange client = target.Connect();
        long loading = Stopwatch.GetTimestamp();
        Load(client, "lasting", Lasting, "");
        double loadMs = Stopwatch.GetElapsedTime(loading).TotalMilliseconds * count / Lasting;
        long before = target.Info("allocator_active");
        long moment = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() + Math.Max(FaultScale.Count(5_000, 30_000), (long)(5 * loadMs));
        Load(client, "going", count, string.Create(CultureInfo.InvariantCulture, $"PXAT {moment}"));
        long full = target.Info("allocator_active");
        Assert.Equal($":{Lasting + count}\r\n", client.ExecuteText("DBSIZE"));
        Assert.True(
            DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() < moment,
            "Loading must be over before the keys expire; this machine is too slow for the counts."
        );

        // No key expires lazily: the client asks only for other keys.
        List<double> latencies = [];
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; target.Info("expired_keys") < count; i++)
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < TimeSpan.FromMinutes(2), "The keys must go by themselves.");
            Measure(client, latencies, DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() >= moment, i);
        }

        double took = (DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() - moment) / 1000.0;
        latencies.Sort();
        double p99 = latencies.Count == 0 ? 0 : latencies[latencies.Count * 99 / 100];
        output.WriteLine(
            $"{count} keys gone after {took:F1} s; {latencies.Count} GETs meanwhile, p99 {p99:F2} ms, longest {latencies.LastOrDefault():F2} ms"
        );
        Assert.True(!FaultScale.IsFull || p99 <= 10, $"p99 {p99} ms");
        Assert.Equal($":{Lasting}\r\n", client.ExecuteText("DBSIZE"));
        long bound = before + ((full - before) / 10);
        FaultTarget.Await(
            () => target.Info("allocator_active") <= bound,
            () => $"{target.Info("allocator_active")} bytes are left of {full}, {before} before"
        );
        output.WriteLine($"bytes before {before}, with the keys {full}, afterwards {target.Info("allocator_active")}");
        target.AssertEndsWell();
    }

    // A thousand reads of keys that stay, between two reads of the counter.
    private static void Measure(RespExchange client, List<double> latencies, bool counts, int round)
    {
        for (int i = 0; i < 1000; i++)
        {
            long asked = Stopwatch.GetTimestamp();
            string reply = client.ExecuteText("GET", $"lasting:{((round * 1000) + i) % Lasting}");
            if (counts)
                latencies.Add(Stopwatch.GetElapsedTime(asked).TotalMilliseconds);
            Assert.StartsWith("$40\r\n", reply, StringComparison.Ordinal);
        }
    }

    private static void Load(RespExchange client, string prefix, int count, string options)
    {
        string value = new('v', 40);
        for (int first = 0; first < count; first += KeysInARequest)
        {
            var request = new StringBuilder();
            for (int i = first; i < first + KeysInARequest; i++)
                request.Append(CultureInfo.InvariantCulture, $"SET {prefix}:{i} {value} {options}\r\n");
            client.Send(Encoding.ASCII.GetBytes(request.ToString()));
            for (int i = 0; i < KeysInARequest; i++)
                Assert.Equal("+OK\r\n"u8.ToArray(), client.ReadReply());
        }
    }
}
