// Links that are cut at random bytes, in the handshake, the snapshot and the stream, while clients write.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class LinkCutTests(ITestOutputHelper output)
{
    private const string Valkey = "valkey-server";
    private const int Replicas = 4;

    [Fact]
    public void Our_replicas_of_our_primary_lose_nothing() => Cut(ReplicationNode.Ours, ReplicationNode.Ours);

    [PeerFact(Valkey, Optional = true)]
    public void Our_replicas_of_Valkey_lose_nothing() => Cut(Valkey, ReplicationNode.Ours);

    [PeerFact(Valkey, Optional = true)]
    public void Replicas_of_Valkey_lose_nothing() => Cut(ReplicationNode.Ours, Valkey);

    private void Cut(string primaryKind, string replicaKind)
    {
        int cuts = FaultScale.Count(6, 500);
        int seed = TestSeed.ChooseAnew(output);
        Random random = new(seed);
        using var primary = ReplicationNode.Start(primaryKind);
        using (RespExchange client = primary.Connect())
            new ReplicatedHistory(seed).Run(client, 2000);
        ReplicationNode[] replicas = [.. Enumerable.Range(0, Replicas).Select(_ => ReplicationNode.Start(replicaKind))];
        using CancellationTokenSource ended = new();
        var load = Task.Run(() => RunUntil(primary, new ReplicatedHistory(seed + 1), ended.Token));
        try
        {
            // In the handshake, or up to a megabyte later: most snapshots must be complete, or the pauses between attempts become long.
            using CuttingProxy proxy = new(primary.Port, () => ended.IsCancellationRequested ? long.MaxValue : NextLength(random));
            foreach (ReplicationNode replica in replicas)
                replica.Call("REPLICAOF", "127.0.0.1", $"{proxy.Port}");
            ReplicationNode.Await(() => proxy.Cuts >= cuts, () => $"{proxy.Cuts} cuts", TimeSpan.FromSeconds(60 + (2 * cuts)));
            ended.Cancel();
            load.GetAwaiter().GetResult();
            foreach (ReplicationNode replica in replicas)
            {
                replica.AwaitSync(primary);
                Assert.Equal(primary.Data(), replica.Data());
            }

            Dictionary<string, string> stats = primary.Info("stats");
            output.WriteLine($"{proxy.Cuts} cuts, {stats["sync_full"]} full and {stats["sync_partial_ok"]} partial synchronizations");
        }
        finally
        {
            ended.Cancel();
            foreach (ReplicationNode replica in replicas)
                replica.Dispose();
        }
    }

    private static long NextLength(Random random)
    {
        lock (random)
            return random.Next(3) == 0 ? random.Next(1, 1000) : random.Next(1, 1_000_000);
    }

    // A little slower than the replicas can follow.
    private static void RunUntil(ReplicationNode node, ReplicatedHistory history, CancellationToken ended)
    {
        using RespExchange client = node.Connect();
        while (!ended.IsCancellationRequested)
        {
            history.Run(client, 20);
            ended.WaitHandle.WaitOne(2);
        }
    }
}
