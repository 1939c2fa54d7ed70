// Primaries and replicas killed at any moment of a full synchronization: half of the data is never served, and in the end all of it is.
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class SynchronizationKillTests(ITestOutputHelper output) : IDisposable
{
    private const int Keys = 40_000;
    private const int LongestDelayMs = 400;
    private static readonly string[] Options = ["--repl-diskless-sync-delay", "0", "--save", ""];

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-kill-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Half_of_the_data_is_never_served()
    {
        Random random = new(TestSeed.ChooseAnew(output));
        string[] folders = [Folder("primary"), Folder("replica")];
        GarnetProcess[] servers = [GarnetProcess.StartIn(folders[0], Options), GarnetProcess.StartIn(folders[1], Options)];
        try
        {
            Fill(servers[0]);
            for (int round = FaultScale.Count(2, 100); round > 0; round--)
            {
                // With data, the replica receives the snapshot into a file first; without, straight into the store.
                Assert.Equal("+OK\r\n", Call(servers[1], "REPLICAOF", "NO", "ONE"));
                if (random.Next(2) == 0)
                    Assert.Equal("+OK\r\n", Call(servers[1], "FLUSHALL"));
                Follow(servers);
                int killed = random.Next(2);
                long end = Environment.TickCount64 + random.Next(LongestDelayMs);
                while (Environment.TickCount64 < end)
                    CheckWhole(servers[1]);
                servers[killed].Kill();
                servers[killed].Dispose();
                if (killed == 0)
                    CheckWhole(servers[1]);
                servers[killed] = GarnetProcess.StartIn(folders[killed], Options);
                Follow(servers);
                ReplicationNode.Await(() =>
                {
                    CheckWhole(servers[1]);
                    return Call(servers[1], "INFO", "replication").Contains("master_link_status:up", StringComparison.Ordinal)
                        && Count(servers[1]) == Keys;
                });
            }
        }
        finally
        {
            servers[0].Dispose();
            servers[1].Dispose();
        }
    }

    private string Folder(string name) => Directory.CreateDirectory(Path.Combine(_folder, name)).FullName;

    // A host that is a path is a Unix socket. Refused while what a killed primary has sent is loaded, as in Valkey.
    private static void Follow(GarnetProcess[] servers)
    {
        string reply = "";
        ReplicationNode.Await(() =>
        {
            reply = Call(servers[1], "REPLICAOF", servers[0].EndPoint.ToString()!, "0");
            return !reply.StartsWith("-LOADING", StringComparison.Ordinal);
        });
        Assert.StartsWith("+OK", reply, StringComparison.Ordinal);
    }

    private static void Fill(GarnetProcess server)
    {
        using RespExchange client = server.Connect();
        string value = new('v', 500);
        for (int first = 0; first < Keys; first += 1000)
            client.Execute(["MSET", .. Enumerable.Range(first, 1000).SelectMany(i => new[] { $"k{i}", value })]);
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
    }

    private static void CheckWhole(GarnetProcess replica)
    {
        long count = Count(replica);
        Assert.True(count is -1 or 0 or Keys, $"{count} keys are served");
    }

    // -1 while it is loading.
    private static long Count(GarnetProcess server)
    {
        string reply = Call(server, "DBSIZE");
        if (reply.StartsWith("-LOADING", StringComparison.Ordinal))
            return -1;
        Assert.StartsWith(":", reply, StringComparison.Ordinal);
        return long.Parse(reply[1..], CultureInfo.InvariantCulture);
    }

    private static string Call(GarnetProcess server, params string[] command)
    {
        using RespExchange client = server.Connect();
        return client.ExecuteText(command);
    }
}
