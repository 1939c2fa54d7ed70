// Hours of writes, cut links and changes of roles: again and again all servers must have equal positions and equal data.
using System.Diagnostics;
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class ReplicationSoakTests(ITestOutputHelper output)
{
    private const int Writers = 3;
    private const int OneDaySeconds = 24 * 3600;

    /// <summary>One day, or as long as GARNET_SOAK_SECONDS says.</summary>
    [FullRunFact]
    public void Offsets_and_data_stay_equal()
    {
        int seconds = Environment.GetEnvironmentVariable("GARNET_SOAK_SECONDS") is { Length: > 0 } text
            ? int.Parse(text, CultureInfo.InvariantCulture)
            : OneDaySeconds;
        int seed = TestSeed.ChooseAnew(output);
        Random random = new(seed);
        string folder = Directory.CreateTempSubdirectory("garnet-soak-").FullName;
        // The last one follows the second of the others; the first logs.
        List<ReplicationNode> nodes =
        [
            ReplicationNode.Start(ReplicationNode.Ours, options => (options.Dir, options.AppendOnly) = (folder, true)),
            ReplicationNode.Start(ReplicationNode.Ours),
            ReplicationNode.Start(ReplicationNode.Ours),
            ReplicationNode.Start(ReplicationNode.Ours),
        ];
        try
        {
            long start = Stopwatch.GetTimestamp();
            long memory = 0;
            for (int round = 0; Stopwatch.GetElapsedTime(start).TotalSeconds < seconds; round++)
            {
                Arrange(nodes);
                Disturb(nodes, random, seed + (round * Writers));
                foreach (ReplicationNode replica in nodes.Skip(1))
                {
                    replica.AwaitSync(nodes[0]);
                    // A PING may come between two looks.
                    ReplicationNode.Await(() => Position(nodes[0]) == Position(replica));
                    Assert.Equal(nodes[0].Data(), replica.Data());
                }

                if (round % 20 == 0)
                {
                    memory = Environment.WorkingSet >> 20;
                    output.WriteLine($"round {round}: position {Position(nodes[0])}, {memory} MB");
                }

                FailOver(nodes, random);
            }

            output.WriteLine(
                $"{Stopwatch.GetElapsedTime(start).TotalMinutes:F0} minutes, {nodes.Sum(static node => Syncs(node, "sync_full"))} full, "
                    + $"{nodes.Sum(static node => Syncs(node, "sync_partial_ok"))} partial synchronizations"
            );
        }
        finally
        {
            foreach (ReplicationNode node in nodes)
                node.Dispose();
            Directory.Delete(folder, recursive: true);
        }
    }

    private static void Arrange(List<ReplicationNode> nodes)
    {
        nodes[1].Follow(nodes[0]);
        nodes[2].Follow(nodes[0]);
        nodes[3].Follow(nodes[1]);
    }

    // Ten seconds of writes, during which links are cut and the log is rewritten.
    private static void Disturb(List<ReplicationNode> nodes, Random random, int seed)
    {
        using CancellationTokenSource ended = new(TimeSpan.FromSeconds(10));
        Task[] writers = [.. Enumerable.Range(seed, Writers).Select(each => Task.Run(() => RunUntil(nodes[0], each, ended.Token)))];
        while (!ended.IsCancellationRequested)
        {
            ended.Token.WaitHandle.WaitOne(random.Next(1500));
            nodes[random.Next(2)].Call("CLIENT", "KILL", "TYPE", "replica");
            if (random.Next(10) == 0)
                nodes[0].Call("BGREWRITEAOF");
        }

        Task.WaitAll(writers);
    }

    private static void FailOver(List<ReplicationNode> nodes, Random random)
    {
        int next = 1 + random.Next(2);
        if (random.Next(2) == 0)
        {
            Assert.Equal("+OK\r\n", nodes[0].Call("FAILOVER", "TO", "127.0.0.1", $"{nodes[next].Port}"));
            ReplicationNode.Await(() => nodes[next].Info()["role"] == "master" && nodes[0].Info()["role"] == "slave");
        }
        else
        {
            Assert.Equal("+OK\r\n", nodes[next].Call("REPLICAOF", "NO", "ONE"));
        }

        (nodes[0], nodes[next]) = (nodes[next], nodes[0]);
    }

    private static string Position(ReplicationNode node) => node.Info()["master_repl_offset"];

    private static long Syncs(ReplicationNode node, string name) => long.Parse(node.Info("stats")[name], CultureInfo.InvariantCulture);

    private static void RunUntil(ReplicationNode node, int seed, CancellationToken ended)
    {
        ReplicatedHistory history = new(seed);
        using RespExchange client = node.Connect();
        while (!ended.IsCancellationRequested)
            history.Run(client, 20);
    }
}
