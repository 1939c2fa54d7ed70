// Primaries and replicas that are restarted: as planned they continue, with snapshots and with the append-only log; otherwise nothing is
// continued that may be wrong.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class RestartTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-replica-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_replica_continues_after_a_planned_restart(bool isLogged)
    {
        ReplicatedHistory history = new(TestSeed.ChooseAnew(output));
        using var primary = ReplicationNode.Start(ReplicationNode.Ours);
        using RespExchange client = primary.Connect();
        history.Run(client, 300);
        using (ReplicationNode replica = StartIn("replica", isLogged, primary.Port))
        {
            replica.AwaitSync(primary);
            if (isLogged)
                replica.AwaitLog();
            client.Execute("PUBLISH", "c", "not logged");
            history.Run(client, 300);
            replica.AwaitSync(primary);
        }

        history.Run(client, 300);
        using ReplicationNode restarted = StartIn("replica", isLogged, primary.Port);
        restarted.AwaitSync(primary);
        Assert.Equal(primary.Data(), restarted.Data());
        Assert.Equal("1", primary.Info("stats")["sync_full"]);
        Assert.Equal("1", primary.Info("stats")["sync_partial_ok"]);
    }

    // A primary repeats no SELECT for a replica that continues.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_restarted_replica_continues_in_the_selected_database(bool isLogged)
    {
        using var primary = ReplicationNode.Start(ReplicationNode.Ours);
        using RespExchange client = primary.Connect();
        client.Execute("SELECT", "9");
        using (ReplicationNode replica = StartIn("replica", isLogged, primary.Port))
        {
            replica.AwaitSync(primary);
            if (isLogged)
                replica.AwaitLog();
            client.Execute("SET", "before", "1");
            replica.AwaitSync(primary);
        }

        client.Execute("SET", "between", "1");
        using ReplicationNode restarted = StartIn("replica", isLogged, primary.Port);
        restarted.AwaitSync(primary);
        client.Execute("SET", "after", "1");
        restarted.AwaitSync(primary);
        Assert.Equal(primary.Data(), restarted.Data());
        Assert.Equal("1", primary.Info("stats")["sync_full"]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Replicas_continue_after_a_planned_restart_of_their_primary(bool isLogged)
    {
        ReplicatedHistory history = new(TestSeed.ChooseAnew(output));
        using var replica = ReplicationNode.Start(ReplicationNode.Ours);
        string former;
        using (ReplicationNode primary = StartIn("primary", isLogged, 0))
        {
            replica.Follow(primary);
            replica.AwaitSync(primary);
            using (RespExchange client = primary.Connect())
                history.Run(client, 300);
            replica.AwaitSync(primary);
            former = primary.Info()["master_replid"];
        }

        using ReplicationNode restarted = StartIn("primary", isLogged, 0);
        Assert.Equal(former, restarted.Info()["master_replid2"]);
        replica.Follow(restarted);
        using (RespExchange client = restarted.Connect())
            history.Run(client, 300);
        replica.AwaitSync(restarted);
        Assert.Equal(restarted.Data(), replica.Data());
        Assert.Equal("0", restarted.Info("stats")["sync_full"]);
        Assert.Equal("1", restarted.Info("stats")["sync_partial_ok"]);
    }

    [Fact]
    public void A_killed_primary_does_not_continue_what_it_may_have_lost()
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "killed")).FullName;
        string[] arguments = ["--appendonly", "yes", "--appendfsync", "no", "--repl-diskless-sync-delay", "0"];
        using var replica = ReplicationNode.Start(ReplicationNode.Ours);
        using (var primary = GarnetProcess.StartIn(folder, arguments))
        {
            Follow(replica, primary);
            using RespExchange client = primary.Connect();
            client.Execute("SET", "a", "1");
            ReplicationNode.Await(() => replica.Call("GET", "a") == "$1\r\n1\r\n");
            primary.Kill();
        }

        using var restarted = GarnetProcess.StartIn(folder, arguments);
        using RespExchange own = restarted.Connect();
        own.Execute("SET", "b", "2");
        Follow(replica, restarted);
        ReplicationNode.Await(() => replica.Call("GET", "b") == "$1\r\n2\r\n");
        Assert.Contains("sync_full:1\r\n", own.ExecuteText("INFO", "stats"), StringComparison.Ordinal);
    }

    private static void Follow(ReplicationNode replica, GarnetProcess primary)
    {
        // A host that is a path is a Unix socket. It may follow that one already, and be loading its data.
        string reply = "";
        ReplicationNode.Await(() =>
            !(reply = replica.Call("REPLICAOF", primary.EndPoint.ToString()!, "0")).StartsWith("-LOADING", StringComparison.Ordinal)
        );
        Assert.StartsWith("+OK", reply, StringComparison.Ordinal);
    }

    private ReplicationNode StartIn(string name, bool isLogged, int primaryPort)
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder, name)).FullName;
        return ReplicationNode.Start(
            ReplicationNode.Ours,
            options =>
            {
                options.Dir = folder;
                options.AppendOnly = isLogged;
                options.Save = isLogged ? [] : [new SavePoint(3600, 1)];
                options.ReplicaOf = primaryPort == 0 ? "" : $"127.0.0.1 {primaryPort}";
            }
        );
    }
}
