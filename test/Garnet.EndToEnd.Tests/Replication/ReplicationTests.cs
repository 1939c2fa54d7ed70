// Replication between our servers, and to and from real Redis and Valkey: equal data under load, with cut connections, and after a change
// of roles.
using Garnet.Hosting;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class ReplicationTests(ITestOutputHelper output)
{
    private const string Ours = ReplicationNode.Ours;
    private const string Redis = "redis-server";
    private const string Valkey = "valkey-server";

    [Fact]
    public void Between_our_servers() => Replicate(Ours, Ours);

    [PeerFact(Redis)]
    public void To_Redis() => Replicate(Ours, Redis);

    [PeerFact(Redis)]
    public void From_Redis() => Replicate(Redis, Ours);

    [PeerFact(Valkey, Optional = true)]
    public void To_Valkey() => Replicate(Ours, Valkey);

    [PeerFact(Valkey, Optional = true)]
    public void From_Valkey() => Replicate(Valkey, Ours);

    [Fact]
    public void Through_our_replica_to_ours() => Chain(Ours, Ours);

    [PeerFact(Redis)]
    public void Through_our_replica_from_Redis_to_Redis() => Chain(Redis, Redis);

    [PeerFact(Valkey, Optional = true)]
    public void Through_our_replica_from_Valkey_to_Valkey() => Chain(Valkey, Valkey);

    [Fact]
    public void Roles_change_between_our_servers_without_a_full_synchronization() => ChangeRoles(Ours);

    [PeerFact(Redis)]
    public void Roles_change_with_Redis_without_a_full_synchronization() => ChangeRoles(Redis);

    [PeerFact(Valkey, Optional = true)]
    public void Roles_change_with_Valkey_without_a_full_synchronization() => ChangeRoles(Valkey);

    [Fact]
    public void A_failover_between_our_servers_loses_nothing() => FailOver(Ours);

    [PeerFact(Redis)]
    public void A_failover_to_Redis_and_back_loses_nothing() => FailOver(Redis);

    [PeerFact(Valkey, Optional = true)]
    public void A_failover_to_Valkey_and_back_loses_nothing() => FailOver(Valkey);

    [Fact]
    public Task A_name_that_no_host_can_have_is_an_error_of_the_connection() =>
        Assert.ThrowsAsync<IOException>(() =>
            new ServerConnector().ConnectAsync(new string('a', 300), 1, new GarnetOptions(), CancellationToken.None)
        );

    [PeerFact(Valkey, Optional = true)]
    public void CLIENT_LIST_describes_a_replica_as_Valkey_does()
    {
        List<string> lines = [];
        foreach (string kind in new[] { Valkey, Ours })
        {
            using var primary = ReplicationNode.Start(kind);
            using var replica = ReplicationNode.Start(Valkey);
            replica.Follow(primary);
            replica.AwaitSync(primary);
            lines.Add(ClientFields(primary, "replica"));
        }

        Assert.Contains("\nflags=S\n", lines[0], StringComparison.Ordinal);
        Assert.Equal(lines[0], lines[1]);
    }

    [PeerFact(Valkey, Optional = true)]
    public void CLIENT_LIST_describes_the_primary_as_Valkey_does()
    {
        List<string> lines = [];
        foreach (string kind in new[] { Valkey, Ours })
        {
            using var primary = ReplicationNode.Start(Valkey);
            using var replica = ReplicationNode.Start(kind);
            replica.Follow(primary);
            primary.Call("SET", "a", "1");
            replica.AwaitSync(primary);
            lines.Add(ClientFields(replica, "primary"));
        }

        Assert.Contains("\nflags=M\n", lines[0], StringComparison.Ordinal);
        Assert.Equal(lines[0], lines[1]);
    }

    [Fact]
    public void The_connection_to_the_primary_can_be_closed_by_its_address_and_ID()
    {
        using var primary = ReplicationNode.Start(Ours);
        using var replica = ReplicationNode.Start(Ours);
        Assert.DoesNotContain("flags=M", replica.Call("CLIENT", "LIST"), StringComparison.Ordinal);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        Assert.DoesNotContain("flags=M", replica.Call("CLIENT", "LIST", "TYPE", "normal"), StringComparison.Ordinal);
        string line = replica.Call("CLIENT", "LIST", "TYPE", "primary").Split("\r\n")[1];
        Assert.Contains($" addr=127.0.0.1:{primary.Port} ", line, StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", replica.Call("CLIENT", "KILL", $"127.0.0.1:{primary.Port}"));
        ReplicationNode.Await(() => primary.Info("stats")["sync_partial_ok"] == "1");
        replica.AwaitSync(primary);
        Assert.Equal(":1\r\n", replica.Call("CLIENT", "KILL", "ID", line[3..line.IndexOf(' ', StringComparison.Ordinal)]));
        ReplicationNode.Await(() => primary.Info("stats")["sync_partial_ok"] == "2");
    }

    [Fact]
    public void Messages_reach_subscribers_of_the_replica()
    {
        using var primary = ReplicationNode.Start(Ours);
        using var replica = ReplicationNode.Start(Ours);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        using RespExchange subscriber = replica.Connect();
        subscriber.Execute("SUBSCRIBE", "c");
        using RespExchange publisher = primary.Connect();
        publisher.Execute("PUBLISH", "c", "alone");
        publisher.Execute("MULTI");
        publisher.Execute("PUBLISH", "c", "in a transaction");
        publisher.Execute("EXEC");
        Assert.Contains("alone", System.Text.Encoding.ASCII.GetString(subscriber.ReadReply()!), StringComparison.Ordinal);
        Assert.Contains("in a transaction", System.Text.Encoding.ASCII.GetString(subscriber.ReadReply()!), StringComparison.Ordinal);
    }

    [Fact]
    public void Wait_counts_replicas_that_have_the_write()
    {
        using var primary = ReplicationNode.Start(Ours);
        using var replica = ReplicationNode.Start(Ours);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        using RespExchange client = primary.Connect();
        client.Execute("SET", "a", "1");
        Assert.Equal(":1\r\n", client.ExecuteText("WAIT", "1", "0"));
        Assert.Equal("$1\r\n1\r\n", replica.Call("GET", "a"));
        Assert.Equal(":1\r\n", client.ExecuteText("WAIT", "2", "50"));
        Assert.Equal("*2\r\n:0\r\n:0\r\n", client.ExecuteText("WAITAOF", "0", "1", "50"));
    }

    [Fact]
    public void Debug_can_make_the_data_of_a_replica_differ()
    {
        using var primary = ReplicationNode.Start(Ours, static options => options.EnableDebugCommand = CommandAccess.Yes);
        using var replica = ReplicationNode.Start(Ours);
        Assert.Equal("+OK\r\n", primary.Call("DEBUG", "REPLICATE", "SET", "nobody", "1"));
        replica.Follow(primary);
        replica.AwaitSync(primary);
        using RespExchange client = primary.Connect();
        client.Execute("SET", "both", "1");
        Assert.Equal("+OK\r\n", client.ExecuteText("DEBUG", "REPLICATE", "SET", "replica", "1"));
        client.Execute("SET", "both", "2");
        Assert.Equal(":1\r\n", client.ExecuteText("WAIT", "1", "0"));
        Assert.Equal(":1\r\n", client.ExecuteText("EXISTS", "nobody", "both", "replica"));
        Assert.Equal(":2\r\n", replica.Call("EXISTS", "nobody", "both", "replica"));
    }

    [Fact]
    public void The_primary_decides_when_keys_expire()
    {
        using var primary = ReplicationNode.Start(Ours);
        using var replica = ReplicationNode.Start(Ours);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        using RespExchange client = primary.Connect();
        client.Execute("SET", "a", "1", "PX", "1");
        client.Execute("HSET", "h", "f", "v", "g", "w");
        client.Execute("HPEXPIRE", "h", "1", "FIELDS", "1", "f");
        ReplicationNode.Await(() => primary.Call("EXISTS", "a") == ":0\r\n" && primary.Call("HLEN", "h") == ":1\r\n");
        replica.AwaitSync(primary);
        Assert.Equal(primary.Data(), replica.Data());
        Assert.Equal(":0\r\n", replica.Call("EXISTS", "a"));
        Assert.Equal("0", replica.Info("stats")["expired_keys"]);
    }

    [Fact]
    public void A_value_larger_than_the_backlog_needs_one_synchronization()
    {
        using var primary = ReplicationNode.Start(Ours, static options => options.ReplicationBacklogBytes = 100_000);
        using var replica = ReplicationNode.Start(Ours);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        primary.Call("SET", "a", new string('x', 3_000_000));
        replica.AwaitSync(primary);
        Assert.Equal(primary.Data(), replica.Data());
        Assert.Equal("1", primary.Info("stats")["sync_full"]);
    }

    // The fields of the only client of a type; figures differ, and what only one of the servers has.
    private static string ClientFields(ReplicationNode node, string type)
    {
        // A primary sends PING at any time.
        string[] own = ["id", "addr", "laddr", "fd", "age", "idle", "events", type == "primary" ? "cmd" : ""];
        string line = node.Call("CLIENT", "LIST", "TYPE", type).Split("\r\n")[1].Split('\n')[0];
        return string.Join(
            '\n',
            line.Split(' ')
                .Select(static field => field.Split('='))
                .Select(field => own.Contains(field[0]) || field[1].All(char.IsAsciiDigit) ? field[0] : string.Join('=', field))
        );
    }

    private void Replicate(string first, string second)
    {
        int seed = TestSeed.ChooseAnew(output);
        using var primary = ReplicationNode.Start(first);
        using var replica = ReplicationNode.Start(second);
        ReplicatedHistory history = new(seed);
        using (RespExchange client = primary.Connect())
            history.Run(client, 2000);
        replica.Call("SET", "of the replica alone", "1");

        // Under load while the snapshot is sent, and with connections cut.
        using CancellationTokenSource ended = new();
        var load = Task.Run(() => RunUntil(primary, new ReplicatedHistory(seed + 1), ended.Token));
        replica.Follow(primary);
        ReplicationNode.Await(() => replica.Info().GetValueOrDefault("master_link_status") == "up");
        for (int cut = 0; cut < 3; cut++)
        {
            Assert.NotEqual(":0\r\n", primary.Call("CLIENT", "KILL", "TYPE", "replica"));
            ReplicationNode.Await(() =>
                primary.Info("stats")["sync_partial_ok"] == $"{cut + 1}" && primary.Info()["connected_slaves"] == "1"
            );
        }

        ended.Cancel();
        load.GetAwaiter().GetResult();
        replica.AwaitSync(primary);
        Assert.Equal(primary.Data(), replica.Data());
        Dictionary<string, string> syncs = primary.Info("stats");
        Assert.Equal("1", syncs["sync_full"]);
        Assert.Equal("3", syncs["sync_partial_ok"]);
    }

    private void Chain(string first, string last)
    {
        int seed = TestSeed.ChooseAnew(output);
        using var primary = ReplicationNode.Start(first);
        using var middle = ReplicationNode.Start(Ours);
        using var end = ReplicationNode.Start(last);
        middle.Follow(primary);
        middle.AwaitSync(primary);
        ReplicatedHistory history = new(seed);
        using RespExchange client = primary.Connect();
        history.Run(client, 500);
        end.Follow(middle);
        end.AwaitSync(middle);
        history.Run(client, 500);
        middle.AwaitSync(primary);
        end.AwaitSync(primary);
        Assert.Equal(primary.Data(), end.Data());
    }

    private void ChangeRoles(string peer)
    {
        int seed = TestSeed.ChooseAnew(output);
        // If the first sent a PING that the new primary does not receive, it could not continue from that one.
        using var first = ReplicationNode.Start(
            peer,
            static options => (options.ReplicationPingPeriod, options.ReplicationTimeout) = (TimeSpan.FromHours(1), TimeSpan.FromHours(2)),
            peerOptions: ["--repl-ping-replica-period", "3600", "--repl-timeout", "7200"]
        );
        using var second = ReplicationNode.Start(Ours);
        using var third = ReplicationNode.Start(Ours);
        string start = first.Info()["master_repl_offset"];
        second.Follow(first);
        // Our server sends a PING soon after its first replica connects, and the next after an hour.
        ReplicationNode.Await(() => peer != Ours || first.Info()["master_repl_offset"] != start);
        third.Follow(first);
        ReplicatedHistory history = new(seed);
        using (RespExchange client = first.Connect())
            history.Run(client, 500);
        second.AwaitSync(first);
        third.AwaitSync(first);
        Assert.Equal("+OK\r\n", second.Call("REPLICAOF", "NO", "ONE"));
        first.Follow(second);
        third.Follow(second);
        using (RespExchange client = second.Connect())
            history.Run(client, 500);
        first.AwaitSync(second);
        third.AwaitSync(second);
        Assert.Equal(second.Data(), first.Data());
        Assert.Equal(second.Data(), third.Data());
        Assert.Equal("0", second.Info("stats")["sync_full"]);
    }

    private void FailOver(string peer)
    {
        int seed = TestSeed.ChooseAnew(output);
        using var first = ReplicationNode.Start(Ours);
        using var second = ReplicationNode.Start(peer);
        second.Follow(first);
        second.AwaitSync(first);
        ReplicatedHistory history = new(seed);
        foreach ((ReplicationNode from, ReplicationNode to) in new[] { (first, second), (second, first) })
        {
            using (RespExchange client = from.Connect())
                history.Run(client, 300);
            Assert.Equal("+OK\r\n", from.Call("FAILOVER", "TO", "127.0.0.1", $"{to.Port}"));
            ReplicationNode.Await(() => to.Info()["role"] == "master" && from.Info().GetValueOrDefault("master_link_status") == "up");
            using (RespExchange client = to.Connect())
                history.Run(client, 300);
            from.AwaitSync(to);
            Assert.Equal(to.Data(), from.Data());
            Assert.Equal("no-failover", from.Info()["master_failover_state"]);
        }
    }

    private static void RunUntil(ReplicationNode node, ReplicatedHistory history, CancellationToken ended)
    {
        using RespExchange client = node.Connect();
        while (!ended.IsCancellationRequested)
            history.Run(client, 20);
    }
}
