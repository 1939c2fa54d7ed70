// The tool with --maxdisk: more data than memory, restarts, folders that cannot be used, options that exclude each other.
using Garnet.Testing;
using Xunit;
using static Garnet.EndToEnd.Tests.Tiering.TierClient;

namespace Garnet.EndToEnd.Tests.Tiering;

public sealed class TierToolTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-tier-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    // About 125 MB of values where some 50 MB are left for data.
    [Fact]
    public void More_values_than_memory_are_kept_and_read_without_evicting_any()
    {
        using var tool = GarnetProcess.StartIn(_folder, Sizes);
        using var client = RespExchange.Connect(tool.EndPoint);
        for (int first = 0; first < Keys; first += Pipeline)
            SendMany(client, first, static i => ["SET", $"key:{i}", ValueOf(i)], static _ => "+OK");
        Assert.Equal($":{Keys}", client.ExecuteText("DBSIZE").TrimEnd());
        Dictionary<string, string> tier = Info(client, "tier");
        Assert.True(long.Parse(tier["tier_cold_keys"]) > Keys / 4, $"only {tier["tier_cold_keys"]} cold keys");
        Assert.Equal("ok", tier["tier_state"]);
        Assert.Equal("0", Info(client, "stats")["evicted_keys"]);
        for (int first = 0; first < Keys; first += Pipeline)
            SendMany(client, first, static i => ["GET", $"key:{i}"], static i => ValueOf(i));
        tier = Info(client, "tier");
        Assert.True(long.Parse(tier["tier_moved_in"]) > 0);
        Assert.Equal("0", tier["tier_read_errors"]);
        Assert.Equal("0", Info(client, "stats")["evicted_keys"]);
    }

    // Two processes load what does not fit into memory, and no value was read by a command before it was saved.
    [Fact]
    public void A_snapshot_has_the_values_on_disk_and_a_start_moves_them_out_again()
    {
        using (var tool = GarnetProcess.StartIn(_folder, Sizes))
        {
            using var client = RespExchange.Connect(tool.EndPoint);
            for (int first = 0; first < Keys; first += Pipeline)
                SendMany(client, first, static i => ["SET", $"key:{i}", ValueOf(i)], static _ => "+OK");
            Assert.Equal("+OK", client.ExecuteText("SAVE").TrimEnd());
            // Half of them are changed or deleted while another save runs.
            Assert.StartsWith("+Background saving started", client.ExecuteText("BGSAVE"), StringComparison.Ordinal);
            for (int first = 0; first < Keys; first += 4 * Pipeline)
            {
                SendMany(client, first, static i => ["SET", $"key:{i}", "other"], static _ => "+OK");
                SendMany(client, first + Pipeline, static i => ["DEL", $"key:{i}"], static _ => ":1");
            }

            Await(client, "persistence", "rdb_bgsave_in_progress");
            Assert.Equal("ok", Info(client, "persistence")["rdb_last_bgsave_status"]);
            Assert.Equal("0", Info(client, "tier")["tier_read_errors"]);
            tool.Kill();
        }

        using var again = GarnetProcess.StartIn(_folder, Sizes);
        using var second = RespExchange.Connect(again.EndPoint);
        Await(second, "persistence", "loading");
        Assert.Equal($":{Keys}", second.ExecuteText("DBSIZE").TrimEnd());
        Assert.True(long.Parse(Info(second, "tier")["tier_cold_keys"]) > Keys / 4);
        Assert.True(long.Parse(Info(second, "memory")["used_memory_peak"]) < 110L << 20, Info(second, "memory")["used_memory_peak"]);
        for (int first = 0; first < Keys; first += Pipeline)
            SendMany(second, first, static i => ["GET", $"key:{i}"], static i => ValueOf(i));
    }

    [Fact]
    public void What_a_killed_server_left_is_not_read()
    {
        using (var tool = GarnetProcess.StartIn(_folder, Sizes))
        {
            using var client = RespExchange.Connect(tool.EndPoint);
            for (int first = 0; first < Keys; first += Pipeline)
                SendMany(client, first, static i => ["SET", $"key:{i}", ValueOf(i)], static _ => "+OK");
            tool.Kill();
        }

        string tierFolder = Path.Combine(_folder, "tier");
        Assert.NotEmpty(Directory.GetFiles(tierFolder, "tier-*.values"));
        using var again = GarnetProcess.StartIn(_folder, Sizes);
        using var second = RespExchange.Connect(again.EndPoint);
        Assert.Empty(Directory.GetFiles(tierFolder, "tier-*.values"));
        Assert.Equal(":0", second.ExecuteText("DBSIZE").TrimEnd());
    }

    [Theory]
    [InlineData("maxdisk needs maxmemory", "--maxdisk", "1gb")]
    [InlineData("maxdisk 1048576: at least", "--maxdisk", "1mb", "--maxmemory", "100mb")]
    public void Options_that_exclude_each_other_are_refused_by_name(string problem, params string[] options)
    {
        ClientProcess tool = GarnetProcess.Run(["--port", "0", "--unixsocket", Path.Combine(_folder, "s"), "--dir", _folder, .. options]);
        Assert.NotEqual(0, tool.ExitCode);
        Assert.Contains(problem, tool.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_folder_is_used_by_one_server()
    {
        using var tool = GarnetProcess.StartIn(_folder, Sizes);
        ClientProcess second = GarnetProcess.Run(["--port", "0", "--unixsocket", Path.Combine(_folder, "s2"), "--dir", _folder, .. Sizes]);
        Assert.NotEqual(0, second.ExitCode);
        Assert.Contains($"is used by the server with process ID {tool.Id}", second.Output, StringComparison.Ordinal);
    }
}
