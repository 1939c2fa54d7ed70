// Memory stays at maxmemory and is returned after keys have expired together. Each test has its own process; random tests print their
// seeds.
using System.Globalization;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

public sealed class MemoryLimitTests(ITestOutputHelper output)
{
    private const long Megabyte = 1 << 20;

    [Fact]
    public void Resident_memory_stays_at_maxmemory_while_sizes_change()
    {
        const long limit = 160 * Megabyte;
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var target = new FaultTarget("epoll", "--maxmemory", "160mb", "--maxmemory-policy", "allkeys-lru");
        using RespExchange client = target.Connect();
        long most = 0;
        int operations = FaultScale.Count(25_000, 10_000_000);
        string payload = new('v', 1 << 16);
        for (int i = 0; i < operations; i += 100)
        {
            var request = new StringBuilder();
            for (int k = 0; k < 100; k++)
            {
                string key = "key" + random.Next(200_000).ToString(CultureInfo.InvariantCulture);
                string value = payload[..(int)Math.Pow(2, 8 + (random.NextDouble() * 8))];
                request.Append(
                    CultureInfo.InvariantCulture,
                    $"*3\r\n$3\r\nSET\r\n${key.Length}\r\n{key}\r\n${value.Length}\r\n{value}\r\n"
                );
            }

            client.Send(Encoding.ASCII.GetBytes(request.ToString()));
            for (int k = 0; k < 100; k++)
                Assert.Equal("+OK\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
            most = Math.Max(most, target.ResidentBytes);
        }

        output.WriteLine(
            $"resident at most {most / (double)limit:F3} x maxmemory, {target.Info("used_memory")} used, {client.ExecuteText("DBSIZE")}"
        );
        Assert.True(most <= limit * 1.10, $"resident at most {most} of {limit} bytes");
        Assert.Contains("maxmemory_policy:allkeys-lru", client.ExecuteText("INFO", "memory"), StringComparison.Ordinal);
        target.AssertEndsWell();
    }

    [Fact]
    public void A_lowered_limit_is_reached_without_writes()
    {
        using var target = new FaultTarget("epoll", "--maxmemory", "400mb", "--maxmemory-policy", "allkeys-lru");
        using RespExchange client = target.Connect();
        Fill(client, 40_000, expiresAtMs: -1);
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "maxmemory", "150mb"));
        FaultTarget.Await(() => target.Info("used_memory") <= 150 * Megabyte, () => $"{target.Info("used_memory")} bytes are used");
        FaultTarget.Await(() => target.ResidentBytes <= 165 * Megabyte, () => $"{target.ResidentBytes} bytes are resident");
        Assert.NotEqual(":0\r\n", client.ExecuteText("DBSIZE"));
        target.AssertEndsWell();
    }

    [Fact]
    public void Keys_that_expire_together_are_soon_removed_and_their_memory_freed()
    {
        int keys = FaultScale.Count(50_000, 1_000_000);
        using var target = new FaultTarget("epoll");
        using RespExchange client = target.Connect();
        long before = target.Info("used_memory");
        long at = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() + FaultScale.Count(3000, 30_000);
        Fill(client, keys, at);
        FaultTarget.Await(() => client.ExecuteText("DBSIZE") == ":0\r\n", () => client.ExecuteText("DBSIZE"));
        FaultTarget.Await(
            () => target.Info("used_memory") <= before + (48 * Megabyte),
            () => $"{target.Info("used_memory")} bytes are used, {before} before"
        );
        target.AssertEndsWell();
    }

    private static void Fill(RespExchange client, int keys, long expiresAtMs)
    {
        string value = new('v', 6000);
        string expiry = expiresAtMs < 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"$4\r\nPXAT\r\n$13\r\n{expiresAtMs}\r\n");
        for (int i = 0; i < keys; i += 100)
        {
            var request = new StringBuilder();
            for (int k = i; k < i + 100; k++)
            {
                request.Append(
                    CultureInfo.InvariantCulture,
                    $"*{(expiresAtMs < 0 ? 3 : 5)}\r\n$3\r\nSET\r\n$11\r\nkey{k:D8}\r\n${value.Length}\r\n{value}\r\n{expiry}"
                );
            }

            client.Send(Encoding.ASCII.GetBytes(request.ToString()));
            for (int k = 0; k < 100; k++)
                Assert.Equal("+OK\r\n", Encoding.ASCII.GetString(client.ReadReply()!));
        }
    }
}
