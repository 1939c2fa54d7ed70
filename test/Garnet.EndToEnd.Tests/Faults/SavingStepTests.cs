// The server ends at every step of a snapshot, of a rewrite of the log and of a start, twice in a row each, by a kill or a power failure.
// Child processes; each test has its own folder.
using System.Globalization;
using System.Net.Sockets;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

public sealed class SavingStepTests(ITestOutputHelper output) : IDisposable
{
    private const int Keys = 200;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);
    private static readonly string[] Logged = ["--appendonly", "yes", "--appendfsync", "always"];
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-steps-").FullName;

    private string Armed => Path.Combine(_folder, "armed");

    private string Steps => Path.Combine(_folder, "steps");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_snapshot_has_these_steps()
    {
        using GarnetProcess server = GarnetProcess.StartCrashing(_folder, "", cutsPower: false, 0)!;
        using RespExchange client = server.Connect();
        Fill(client, "a");
        File.WriteAllText(Armed, "");
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        Assert.Equal(SavingSteps.Snapshot, File.ReadAllLines(Steps).Distinct());
    }

    [Fact]
    public void A_rewrite_and_a_start_have_these_steps()
    {
        using (GarnetProcess server = GarnetProcess.StartCrashing(_folder, "", cutsPower: false, 0, Logged)!)
        {
            using RespExchange client = server.Connect();
            Fill(client, "a");
            Rewrite(client);
            Fill(client, "b");
            File.WriteAllText(Armed, "");
            Rewrite(client, 2);
            Assert.Equal(SavingSteps.Rewrite.Order(), File.ReadAllLines(Steps).Distinct().Order());
            File.Delete(Armed);
            server.Kill();
        }

        File.Delete(Steps);
        File.WriteAllText(Armed, "");
        using GarnetProcess again = GarnetProcess.StartCrashing(_folder, "", cutsPower: false, 0, Logged)!;
        string[] steps = [.. File.ReadAllLines(Steps).Distinct()];
        Assert.Empty(steps.Except(SavingSteps.Start));
        Assert.Empty(SavingSteps.Start[2..].Except(steps));
    }

    [Fact]
    public void A_first_start_and_an_import_have_these_steps()
    {
        PutSnapshot();
        Assert.Equal(SavingSteps.FirstStart, StepsOfStart());
        Directory.Delete(Path.Combine(_folder, "appendonlydir"), recursive: true);
        File.Delete(Path.Combine(_folder, "dump.rdb"));
        PutPeerFile();
        Assert.Equal(SavingSteps.Import, StepsOfStart());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_first_start_killed_at_any_step_is_completed_by_the_next(bool cutsPower)
    {
        Random random = new(TestSeed.Choose(output, cutsPower ? 86 : 85));
        foreach (string step in Chosen(SavingSteps.FirstStart, random))
        {
            PutSnapshot();
            EndInFirstStart(step, cutsPower, random, client => Assert.Equal($":{Keys}\r\n", client.ExecuteText("DBSIZE")));
            File.Delete(Path.Combine(_folder, "dump.rdb"));
        }

        foreach (string step in Chosen(SavingSteps.Import, random))
        {
            PutPeerFile();
            EndInFirstStart(step, cutsPower, random, static client => Assert.Equal("$2\r\n10\r\n", client.ExecuteText("GET", "counter")));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_snapshot_killed_at_any_step_leaves_the_old_or_the_new_one(bool cutsPower)
    {
        Random random = new(TestSeed.Choose(output, cutsPower ? 82 : 81));
        using (var first = GarnetProcess.StartIn(_folder))
        {
            using RespExchange client = first.Connect();
            Fill(client, "first");
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        }

        string word = "first";
        foreach (string step in Chosen(SavingSteps.Snapshot, random))
        {
            for (int time = 0; time < 2; time++)
            {
                using GarnetProcess server = GarnetProcess.StartCrashing(_folder, step, cutsPower, random.Next())!;
                using RespExchange client = server.Connect();
                word = WordOf(client, word, word);
                string next = $"{step} {time} {random.Next()}";
                Fill(client, next);
                File.WriteAllText(Armed, "");
                Assert.Null(client.Execute("SAVE"));
                server.WaitForExit(Patience);
                File.Delete(Armed);
                using var again = GarnetProcess.StartIn(_folder);
                using RespExchange reader = again.Connect();
                word = WordOf(reader, word, next);
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Nothing_acknowledged_is_lost_when_a_rewrite_or_a_start_ends_at_any_step(bool cutsPower)
    {
        Random random = new(TestSeed.Choose(output, cutsPower ? 84 : 83));
        AcknowledgedLoad load = new();
        using (var first = GarnetProcess.StartIn(_folder, Logged))
        {
            using RespExchange client = first.Connect();
            Rewrite(client);
        }

        int ends = 0;
        foreach (string step in Chosen(SavingSteps.Rewrite, random))
        {
            for (int time = 0; time < 2; time++)
                ends += EndInRewrite(step, cutsPower, random, load);
        }

        foreach (string step in Chosen(SavingSteps.Start, random))
        {
            for (int time = 0; time < 2; time++)
                ends += EndInStart(step, cutsPower, random, load);
        }

        using var last = GarnetProcess.StartIn(_folder, Logged);
        load.Check(last, "at the end");
        output.WriteLine($"{ends} ends, {load.Acknowledged} acknowledged writes");
        Assert.True(ends > 0);
    }

    // In half of the rounds, clients continue while the log is rewritten.
    private int EndInRewrite(string step, bool cutsPower, Random random, AcknowledgedLoad load)
    {
        int seed = random.Next();
        string round = $"{step}, seed {seed}";
        using GarnetProcess server = GarnetProcess.StartCrashing(_folder, step, cutsPower, seed, Logged)!;
        load.Check(server, round);
        load.Start(server);
        // How much has been written by then is what is varied.
        Thread.Sleep(random.Next(20, 150));
        if (random.Next(2) == 0)
            load.Stop();
        File.WriteAllText(Armed, "");
        try
        {
            using RespExchange client = server.Connect();
            client.Execute("BGREWRITEAOF");
        }
        catch (Exception e) when (e is IOException or SocketException)
        {
            // What the clients wrote has reached the step already.
        }

        server.WaitForExit(Patience);
        load.Join();
        File.Delete(Armed);
        return 1;
    }

    // A start without a truncated log does not have this step, so it does not end there.
    private int EndInStart(string step, bool cutsPower, Random random, AcknowledgedLoad load)
    {
        int seed = random.Next();
        File.WriteAllText(Armed, "");
        using (var server = GarnetProcess.StartCrashing(_folder, step, cutsPower, seed, Logged))
        {
            if (server is null)
                return 1;
        }

        File.Delete(Armed);
        using var between = GarnetProcess.StartIn(_folder, Logged);
        load.Check(between, $"start, {step}, seed {seed}");
        load.Start(between);
        // The moment of the kill is what is varied.
        Thread.Sleep(random.Next(20, 150));
        between.Kill();
        load.Join();
        return 0;
    }

    // Twice in a row; what was written afterwards must be there as well.
    private void EndInFirstStart(string step, bool cutsPower, Random random, Action<RespExchange> check)
    {
        File.WriteAllText(Armed, "");
        for (int time = 0; time < 2; time++)
        {
            using var server = GarnetProcess.StartCrashing(_folder, step, cutsPower, random.Next(), Logged);
            Assert.True(server is null || time > 0, $"{step} was not reached");
        }

        File.Delete(Armed);
        for (int time = 0; time < 2; time++)
        {
            using var again = GarnetProcess.StartIn(_folder, Logged);
            using RespExchange client = again.Connect();
            check(client);
            Assert.Equal(time == 0 ? "$-1\r\n" : "$1\r\n1\r\n", client.ExecuteText("GET", "key:0:later"));
            if (time == 0)
            {
                Assert.Equal("+OK\r\n", client.ExecuteText("SET", "key:0:later", "1"));
                again.Kill();
                check = static _ => { };
            }
        }

        Directory.Delete(Path.Combine(_folder, "appendonlydir"), recursive: true);
    }

    private IEnumerable<string> StepsOfStart()
    {
        File.Delete(Steps);
        File.WriteAllText(Armed, "");
        using (GarnetProcess server = GarnetProcess.StartCrashing(_folder, "", cutsPower: false, 0, Logged)!)
            server.Kill();
        File.Delete(Armed);
        return File.ReadAllLines(Steps).Distinct();
    }

    private void PutSnapshot()
    {
        using var first = GarnetProcess.StartIn(_folder);
        using RespExchange client = first.Connect();
        Fill(client, "first");
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        first.Kill();
    }

    // As Redis 6 and earlier write it.
    private void PutPeerFile() =>
        File.WriteAllText(
            Path.Combine(_folder, "appendonly.aof"),
            string.Concat(Enumerable.Repeat("*2\r\n$4\r\nINCR\r\n$7\r\ncounter\r\n", 10))
        );

    // A seeded subset; on request all of them, repeatedly.
    private static IEnumerable<string> Chosen(string[] steps, Random random)
    {
        int count = FaultScale.Count(Math.Min(3, steps.Length), 10 * steps.Length);
        for (int i = 0; i < count; i++)
        {
            if (i % steps.Length == 0)
                random.Shuffle(steps = [.. steps]);
            yield return steps[i % steps.Length];
        }
    }

    private static void Fill(RespExchange client, string word)
    {
        for (int i = 0; i < Keys; i++)
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", $"key:{i}", $"{word}:{new string('v', i * 10)}"));
    }

    // Which of two complete data sets a server has.
    private static string WordOf(RespExchange client, string old, string young)
    {
        Assert.Equal(string.Create(CultureInfo.InvariantCulture, $":{Keys}\r\n"), client.ExecuteText("DBSIZE"));
        string word = client.ExecuteText("GET", "key:0").Split("\r\n")[1].TrimEnd(':');
        Assert.Contains(word, new[] { old, young });
        for (int i = 0; i < Keys; i++)
            Assert.Equal($"{word}:{new string('v', i * 10)}", client.ExecuteText("GET", $"key:{i}").Split("\r\n")[1]);
        return word;
    }

    private static void Rewrite(RespExchange client, int count = 1)
    {
        client.ExecuteText("BGREWRITEAOF");
        Assert.True(
            SpinWait.SpinUntil(
                () => client.ExecuteText("INFO", "persistence").Contains($"aof_rewrites:{count}\r\n", StringComparison.Ordinal),
                Patience
            )
        );
    }
}
