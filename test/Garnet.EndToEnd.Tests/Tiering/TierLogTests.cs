// The tool with --maxdisk beside a log, and as a primary and a replica: what is on disk is in both.
using System.Globalization;
using System.Net;
using Garnet.Testing;
using Xunit;
using static Garnet.EndToEnd.Tests.Tiering.TierClient;

namespace Garnet.EndToEnd.Tests.Tiering;

public sealed class TierLogTests : IDisposable
{
    // About 62 MB of values where some 30 MB are left for data.
    private const int Keys = 60_000;
    private const long MaxPeakBytes = 72L << 20;
    private static readonly string[] Sizes = ["--maxmemory", "64mb", "--maxdisk", "512mb"];

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-tier-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    // Effects on values that have moved out while the log was loaded, before and after a rewrite.
    [Fact]
    public void A_log_is_loaded_into_less_memory_than_it_needs()
    {
        string[] options = [.. Sizes, "--appendonly", "yes"];
        using (var tool = GarnetProcess.StartIn(_folder, options))
        {
            using var client = RespExchange.Connect(tool.EndPoint);
            Fill(client);
            Append(client);
            Sync(client);
            tool.Kill();
        }

        using (var again = GarnetProcess.StartIn(_folder, options))
        {
            using var client = RespExchange.Connect(again.EndPoint);
            Await(client, "persistence", "loading");
            Check(client);
            Assert.StartsWith("+Background append only file rewriting", client.ExecuteText("BGREWRITEAOF"), StringComparison.Ordinal);
            Await(client, "persistence", "aof_rewrite_in_progress");
            Assert.Equal("ok", Info(client, "persistence")["aof_last_bgrewrite_status"]);
            Append(client);
            Sync(client);
            again.Kill();
        }

        using var third = GarnetProcess.StartIn(_folder, options);
        using var last = RespExchange.Connect(third.EndPoint);
        Await(last, "persistence", "loading");
        Check(last, times: 2);
        Assert.True(long.Parse(Info(last, "memory")["used_memory_peak"], CultureInfo.InvariantCulture) < MaxPeakBytes);
    }

    // Full synchronization of values on disk, then effects on values that the replica has on disk; neither deletes a key.
    [Fact]
    public void A_replica_has_what_its_primary_has_on_disk()
    {
        using var primary = GarnetProcess.StartIn(Folder("primary"), [.. Sizes, "--maxmemory-policy", "allkeys-lru"]);
        using var client = RespExchange.Connect(primary.EndPoint);
        Fill(client);
        using var replica = GarnetProcess.StartIn(Folder("replica"), [.. Sizes, "--maxmemory-policy", "allkeys-lru"]);
        using var follower = RespExchange.Connect(replica.EndPoint);
        string[] address = primary.EndPoint is IPEndPoint ip
            ? [ip.Address.ToString(), ip.Port.ToString(CultureInfo.InvariantCulture)]
            : [primary.EndPoint.ToString()!, "0"];
        Assert.Equal("+OK", follower.ExecuteText(["REPLICAOF", .. address]).TrimEnd());
        Append(client);
        Assert.Equal(":1", client.ExecuteText("WAIT", "1", "120000").TrimEnd());
        Assert.Equal("0", Info(follower, "stats")["evicted_keys"]);
        Assert.True(long.Parse(Info(follower, "tier")["tier_cold_keys"], CultureInfo.InvariantCulture) > Keys / 4);
        Assert.True(long.Parse(Info(follower, "memory")["used_memory_peak"], CultureInfo.InvariantCulture) < MaxPeakBytes);
        Check(follower);
        Assert.Equal("+OK", follower.ExecuteText("REPLICAOF", "NO", "ONE").TrimEnd());
        Append(follower);
        Check(follower, times: 2);
    }

    private string Folder(string name) => Directory.CreateDirectory(Path.Combine(_folder, name)).FullName;

    private static void Fill(RespExchange client)
    {
        for (int first = 0; first < Keys; first += Pipeline)
            SendMany(client, first, static i => ["SET", $"key:{i}", ValueOf(i)], static _ => "+OK");
    }

    private static void Append(RespExchange client)
    {
        for (int first = 0; first < Keys; first += 4 * Pipeline)
            SendMany(client, first, static i => ["APPEND", $"key:{i}", "more"], static _ => ":10");
    }

    private static void Sync(RespExchange client) =>
        Assert.StartsWith("*2\r\n:1\r\n", client.ExecuteText("WAITAOF", "1", "0", "60000"), StringComparison.Ordinal);

    private static void Check(RespExchange client, int times = 1)
    {
        Assert.Equal($":{Keys}", client.ExecuteText("DBSIZE").TrimEnd());
        string more = string.Concat(Enumerable.Repeat("more", times));
        for (int first = 0; first < Keys; first += Pipeline)
        {
            string end = first % (4 * Pipeline) == 0 ? more : "";
            SendMany(client, first, static i => ["GET", $"key:{i}"], i => $"{ValueOf(i)}{end}\r\n");
        }
    }
}
