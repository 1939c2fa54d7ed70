// The server ends at every step of moving values to disk, by a kill; the next one ignores what is left, whatever it is. Child processes.
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Tiering;

public sealed class TierStepTests : IDisposable
{
    private const int KeysPerRound = 4000;
    private const int Rounds = 6;

    // One key of so many stays, so that segments are neither dead nor full.
    private const int Stay = 10;
    private const int KilledExitCode = 128 + 9;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);
    private static readonly string[] Options = ["--maxmemory", "300mb", "--maxdisk", "64mb", "--enable-debug-command", "yes"];

    private static readonly string[] Steps = ["clean tier", "publish tier", "read tier", "write tier"];
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-tier-steps-").FullName;

    private string Tier => Path.Combine(_folder, "tier");

    public static TheoryData<string> Names => [.. Steps];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Moving_and_cleaning_have_these_steps()
    {
        using GarnetProcess server = GarnetProcess.StartCrashing(_folder, "", cutsPower: false, 0, Options)!;
        File.WriteAllText(Path.Combine(_folder, "armed"), "");
        using RespExchange client = server.Connect();
        UseDisk(client);
        Assert.Equal(Steps, File.ReadAllLines(Path.Combine(_folder, "steps")).Distinct().Order());
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void What_a_kill_at_a_step_leaves_is_ignored(string step)
    {
        using (GarnetProcess server = GarnetProcess.StartCrashing(_folder, step, cutsPower: false, 0, Options)!)
        {
            File.WriteAllText(Path.Combine(_folder, "armed"), "");
            using RespExchange client = server.Connect();
            Assert.True(EndsWhile(() => UseDisk(client)));
            Assert.Equal(KilledExitCode, server.WaitForExit(Patience));
        }

        Spoil();
        using var again = GarnetProcess.StartIn(_folder, Options);
        using RespExchange second = again.Connect();
        Assert.Equal(":0\r\n", second.ExecuteText("DBSIZE"));
        Assert.Equal(["foreign", "tier.lock"], Directory.GetFiles(Tier).Select(Path.GetFileName).Order());
        second.ExecuteText("SET", "k", new string('x', 100));
        Assert.Equal(":1\r\n", second.ExecuteText("DEBUG", "TIER", "COLD"));
        Assert.Contains("xxx", second.ExecuteText("GET", "k"), StringComparison.Ordinal);
        Assert.Contains("tier_read_errors:0\r\n", second.ExecuteText("INFO", "tier"), StringComparison.Ordinal);
    }

    // Writes more than the disk holds, most of which is deleted, and reads.
    private static void UseDisk(RespExchange client)
    {
        for (int round = 0; round < Rounds; round++)
        {
            Assert.Equal("+OK\r\n", client.ExecuteText("DEBUG", "POPULATE", $"{KeysPerRound}", $"{round}", "4000"));
            Assert.StartsWith(":", client.ExecuteText("DEBUG", "TIER", "COLD"), StringComparison.Ordinal);
            Assert.StartsWith("$4000", client.ExecuteText("GET", $"{round}:0"), StringComparison.Ordinal);
            string[] gone = [.. Enumerable.Range(0, KeysPerRound).Where(static i => i % Stay != 0).Select(i => $"{round}:{i}")];
            Assert.Equal($":{gone.Length}\r\n", client.ExecuteText(["DEL", .. gone]));
        }
    }

    // Foreign, garbled and truncated files, and an empty one.
    private void Spoil()
    {
        string file = Path.Combine(Tier, "tier-000000.values");
        using (FileStream first = File.Open(file, FileMode.OpenOrCreate))
        {
            first.SetLength(first.Length / 3);
            first.Position = first.Length / 2;
            first.Write(Encoding.ASCII.GetBytes("garbled"));
        }

        File.WriteAllText(Path.Combine(Tier, "tier-000001.values"), "");
        File.WriteAllText(Path.Combine(Tier, "tier-000900.values"), "another program's");
        File.WriteAllText(Path.Combine(Tier, "foreign"), "kept");
    }

    private static bool EndsWhile(Action action)
    {
        try
        {
            action();
            return false;
        }
        catch (Exception e) when (e is SocketException or IOException)
        {
            return true;
        }
    }
}
