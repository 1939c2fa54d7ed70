// Replicas that continue from the primary's append-only log, because the backlog in memory does not reach back far enough.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class LogBacklogTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-backlog-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Our_replica_continues_from_the_log() => Continue(ReplicationNode.Ours);

    [PeerFact("redis-server")]
    public void A_replica_of_Redis_continues_from_the_log() => Continue("redis-server");

    [PeerFact("valkey-server", Optional = true)]
    public void A_replica_of_Valkey_continues_from_the_log() => Continue("valkey-server");

    [Fact]
    public void After_a_rewrite_a_replica_receives_all_data()
    {
        using ReplicationNode primary = StartPrimary();
        using var replica = ReplicationNode.Start(ReplicationNode.Ours);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        Leave(replica);
        Fill(primary, 40);
        Assert.StartsWith("+", primary.Call("BGREWRITEAOF"), StringComparison.Ordinal);
        primary.AwaitLog();
        replica.Follow(primary);
        replica.AwaitSync(primary);
        Assert.Equal(primary.Data(), replica.Data());
        Assert.Equal("2", primary.Info("stats")["sync_full"]);
    }

    private void Continue(string kind)
    {
        int seed = TestSeed.ChooseAnew(output);
        using ReplicationNode primary = StartPrimary();
        using var replica = ReplicationNode.Start(kind);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        ReplicatedHistory history = new(seed);
        using RespExchange client = primary.Connect();
        history.Run(client, 200);
        replica.AwaitSync(primary);
        Leave(replica);
        history.Run(client, 400);
        client.Execute("PUBLISH", "c", "not in the log");
        Fill(primary, 40);

        // Under load, so that the end of the files moves.
        using CancellationTokenSource ended = new();
        var load = Task.Run(() => RunUntil(primary, new ReplicatedHistory(seed + 1), ended.Token));
        replica.Follow(primary);
        ReplicationNode.Await(() => replica.Info().GetValueOrDefault("master_link_status") == "up");
        ended.Cancel();
        load.GetAwaiter().GetResult();
        client.Execute("SET", "last", "1");
        replica.AwaitSync(primary);
        Assert.Equal(primary.Data(), replica.Data());
        Assert.Equal("1", primary.Info("stats")["sync_full"]);
        Assert.Equal("1", primary.Info("stats")["sync_partial_ok"]);
    }

    private ReplicationNode StartPrimary()
    {
        var primary = ReplicationNode.Start(
            ReplicationNode.Ours,
            options =>
            {
                options.Dir = _folder;
                options.AppendOnly = true;
                options.ReplicationBacklogBytes = 16 << 10;
            }
        );
        primary.AwaitLog();
        return primary;
    }

    // It keeps its position while it looks for a primary that is not there.
    private static void Leave(ReplicationNode replica)
    {
        using SilentListener nowhere = new();
        Assert.Equal("+OK\r\n", replica.Call("REPLICAOF", "127.0.0.1", $"{nowhere.Port}"));
    }

    // Megabytes, in values of half of one.
    private static void Fill(ReplicationNode primary, int megabytes)
    {
        using RespExchange client = primary.Connect();
        string value = new('x', 500_000);
        for (int i = 0; i < megabytes * 2; i++)
            client.Execute("SET", $"filler{i % 10}", value);
    }

    private static void RunUntil(ReplicationNode node, ReplicatedHistory history, CancellationToken ended)
    {
        using RespExchange client = node.Connect();
        while (!ended.IsCancellationRequested)
            history.Run(client, 20);
    }
}
