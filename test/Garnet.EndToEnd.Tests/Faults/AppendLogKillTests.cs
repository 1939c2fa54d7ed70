// A server killed under load, with a log that is synced before every reply: no acknowledged write may be missing, and nothing may appear
// that was never sent.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

public sealed class AppendLogKillTests(ITestOutputHelper output) : IDisposable
{
    private static readonly string[] Logged = ["--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-min-size", "200kb"];
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-kill-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Nothing_acknowledged_is_lost_when_the_server_is_killed()
    {
        int rounds = FaultScale.Count(6, 1000);
        Random random = new(TestSeed.Choose(output, 91));
        AcknowledgedLoad load = new();
        for (int round = 0; round < rounds; round++)
        {
            using var server = GarnetProcess.StartIn(_folder, Logged);
            load.Check(server, $"round {round}");
            load.Start(server);
            // The moment of the kill is what is varied.
            Thread.Sleep(random.Next(20, 400));
            server.Kill();
            load.Join();
        }

        using var last = GarnetProcess.StartIn(_folder, Logged);
        load.Check(last, "at the end");
        output.WriteLine($"{rounds} kills, {load.Acknowledged} acknowledged writes");
        Assert.True(load.Acknowledged > rounds);
    }
}
