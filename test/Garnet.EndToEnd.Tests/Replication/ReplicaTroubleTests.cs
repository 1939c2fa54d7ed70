// Replicas in trouble: two primaries at once, stopped processes, clocks that jump, replicas that do not read, a full disk.
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class ReplicaTroubleTests(ITestOutputHelper output)
{
    private const string Ours = ReplicationNode.Ours;
    private const string Loading = "-LOADING Garnet is loading the dataset in memory\r\n";

    [Fact]
    public async Task A_replica_that_two_primaries_want_has_the_data_of_the_last()
    {
        int seed = TestSeed.ChooseAnew(output);
        Random random = new(seed);
        ReplicationNode[] primaries = [ReplicationNode.Start(Ours), ReplicationNode.Start(Ours)];
        using var replica = ReplicationNode.Start(Ours);
        using CancellationTokenSource ended = new();
        Task[] loads = [.. primaries.Select((primary, i) => Task.Run(() => RunUntil(primary, seed + i, ended.Token)))];
        try
        {
            int last = 0;
            for (int change = FaultScale.Count(5, 500); change > 0; change--)
            {
                last = 1 - last;
                // Refused while a snapshot is loaded, as in Valkey.
                string port = $"{primaries[last].Port}";
                ReplicationNode.Await(() => replica.Call("REPLICAOF", "127.0.0.1", port) != Loading);
                // How far the replica has come is what is varied.
                Thread.Sleep(random.Next(40));
            }

            await ended.CancelAsync();
            await Task.WhenAll(loads);
            replica.AwaitSync(primaries[last]);
            Assert.Equal(primaries[last].Data(), replica.Data());
        }
        finally
        {
            await ended.CancelAsync();
            foreach (ReplicationNode primary in primaries)
                primary.Dispose();
        }
    }

    [Fact]
    public void A_replica_that_does_not_read_is_closed_at_its_limit_and_others_are_not()
    {
        using var primary = ReplicationNode.Start(
            Ours,
            static options =>
            {
                options.ReplicationBacklogBytes = 1 << 20;
                options.ClientOutputBufferLimits = OutputBufferLimits.Default with
                {
                    Replica = new OutputBufferLimit(4 << 20, 0, TimeSpan.Zero),
                };
            }
        );
        using var replica = ReplicationNode.Start(Ours);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        using RespExchange deaf = AskForSync(primary);
        ReplicationNode.Await(() => primary.Info()["connected_slaves"] == "2");
        long before = Memory(primary);
        using RespExchange client = primary.Connect();
        string value = new('x', 100_000);
        int megabytes = FaultScale.Count(40, 2000);
        for (int i = 0; i < megabytes; i++)
        {
            for (int part = 0; part < 10; part++)
                client.Execute("SET", "a", value);
            // The replica that reads must not fall behind by as much as the limit.
            Assert.NotEqual(":0\r\n", client.ExecuteText("WAIT", "1", "0"));
        }

        ReplicationNode.Await(() => primary.Info()["connected_slaves"] == "1");
        replica.AwaitSync(primary);
        Assert.Equal("1", primary.Info("stats")["client_output_buffer_limit_disconnections"]);
        Assert.InRange(Memory(primary) - before, long.MinValue, 16 << 20);
    }

    [Fact]
    public void A_replica_that_does_not_read_the_snapshot_is_closed_at_its_limit_and_others_are_not()
    {
        using var primary = ReplicationNode.Start(
            Ours,
            static options =>
            {
                options.DisklessSyncDelay = TimeSpan.FromMinutes(1);
                options.DisklessSyncMaxReplicas = 2;
                options.ReplicationTimeout = TimeSpan.FromHours(1);
                options.ReplicationBacklogBytes = 1 << 20;
                options.ClientOutputBufferLimits = OutputBufferLimits.Default with
                {
                    Replica = new OutputBufferLimit(1 << 20, 0, TimeSpan.Zero),
                };
            }
        );
        using (RespExchange client = primary.Connect())
        {
            byte[] value = new byte[100_000];
            for (int i = 0; i < 400; i++)
            {
                new Random(i).NextBytes(value);
                client.Execute(["SET"u8.ToArray(), Encoding.ASCII.GetBytes($"{i}"), value]);
            }
        }

        using RespExchange deaf = AskForSync(primary);
        using var replica = ReplicationNode.Start(Ours);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        ReplicationNode.Await(() => primary.Info()["connected_slaves"] == "1");
        Assert.Equal("1", primary.Info("stats")["client_output_buffer_limit_disconnections"]);
        Assert.Equal("2", primary.Info("stats")["sync_full"]);
        Assert.Equal(primary.Data(), replica.Data());
    }

    [Fact]
    public void Clocks_that_jump_end_no_link_and_stop_no_heartbeat()
    {
        JumpingTime time = new();
        using var primary = ReplicationNode.Start(Ours, static options => options.ReplicationPingPeriod = TimeSpan.FromSeconds(1), time);
        using var replica = ReplicationNode.Start(Ours, time: time);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        foreach (int days in new[] { 1, -2, 400, -800 })
        {
            time.Jump(TimeSpan.FromDays(days));
            string position = primary.Info()["master_repl_offset"];
            ReplicationNode.Await(() => primary.Info()["master_repl_offset"] != position);
            primary.Call("SET", "a", $"{days}");
            replica.AwaitSync(primary);
            Assert.Equal(primary.Call("GET", "a"), replica.Call("GET", "a"));
        }

        Assert.Equal("1", primary.Info("stats")["sync_full"]);
        Assert.Equal("0", primary.Info("stats")["sync_partial_ok"]);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_process_that_was_stopped_continues_where_it_was(int stopped)
    {
        string[] options = ["--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"];
        using var primary = GarnetProcess.Start(options);
        using var replica = GarnetProcess.Start(options);
        GarnetProcess[] both = [primary, replica];
        Call(replica, "REPLICAOF", primary.EndPoint.ToString()!, "0");
        ReplicationNode.Await(() => Field(replica, "replication", "master_link_status") == "up");
        foreach (GarnetProcess each in both)
            Call(each, "CONFIG", "SET", "repl-timeout", "1");
        for (int round = FaultScale.Count(1, 20); round > 0; round--)
        {
            both[stopped].Signal("STOP");
            ReplicationNode.Await(() =>
                stopped == 0
                    ? Field(replica, "replication", "master_link_status") == "down"
                    : Field(primary, "replication", "connected_slaves") == "0"
            );
            if (stopped == 1)
                Call(primary, "SET", "meanwhile", $"{round}");
            both[stopped].Signal("CONT");
            Call(primary, "SET", "a", $"{round}");
            ReplicationNode.Await(() =>
                Field(replica, "replication", "slave_repl_offset") == Field(primary, "replication", "master_repl_offset")
                && Field(replica, "replication", "master_link_status") == "up"
            );
            Assert.Equal(Call(primary, "MGET", "a", "meanwhile"), Call(replica, "MGET", "a", "meanwhile"));
        }

        Assert.Equal("1", Field(primary, "stats", "sync_full"));
    }

    [FullRunFact]
    public void A_replica_whose_disk_is_full_serves_what_it_has_until_there_is_room()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-full-").FullName;
        Shell($"mount -t tmpfs -o size=4m none {folder}");
        try
        {
            using var primary = ReplicationNode.Start(Ours);
            using var replica = ReplicationNode.Start(Ours, options => options.Dir = folder);
            primary.Call("SET", "a", new string('x', 8_000_000));
            replica.Call("SET", "own", "1");
            replica.Follow(primary);
            ReplicationNode.Await(() => primary.Info("stats")["sync_full"] == "3");
            Assert.Equal("$1\r\n1\r\n", replica.Call("GET", "own"));
            Shell($"mount -o remount,size=64m {folder}");
            replica.AwaitSync(primary);
            Assert.Equal(primary.Data(), replica.Data());
        }
        finally
        {
            Shell($"umount {folder}");
            Directory.Delete(folder);
        }
    }

    private static RespExchange AskForSync(ReplicationNode primary)
    {
        RespExchange client = primary.Connect();
        client.Execute("REPLCONF", "capa", "eof", "capa", "psync2", "version", "9.1.0");
        client.Send(RespExchange.Encode([.. new[] { "PSYNC", "?", "-1" }.Select(Encoding.ASCII.GetBytes)]));
        return client;
    }

    private static long Memory(ReplicationNode node) =>
        long.Parse(node.Info("memory")["mem_total_replication_buffers"], CultureInfo.InvariantCulture);

    private static void RunUntil(ReplicationNode node, int seed, CancellationToken ended)
    {
        ReplicatedHistory history = new(seed);
        using RespExchange client = node.Connect();
        while (!ended.IsCancellationRequested)
        {
            history.Run(client, 20);
            ended.WaitHandle.WaitOne(2);
        }
    }

    private static string Call(GarnetProcess server, params string[] command)
    {
        using RespExchange client = server.Connect();
        return client.ExecuteText(command);
    }

    private static string Field(GarnetProcess server, string section, string name) =>
        Call(server, "INFO", section)
            .Split("\r\n")
            .Where(line => line.StartsWith(name + ":", StringComparison.Ordinal))
            .Select(line => line[(name.Length + 1)..])
            .FirstOrDefault("");

    private static void Shell(string command)
    {
        using var shell = Process.Start("/bin/sh", ["-c", command]);
        shell.WaitForExit();
        Assert.Equal(0, shell.ExitCode);
    }

    // Timers and timestamps go on evenly, as they do when an operator sets the system's clock.
    private sealed class JumpingTime : TimeProvider
    {
        private long _offsetTicks;

        public void Jump(TimeSpan by) => Interlocked.Add(ref _offsetTicks, by.Ticks);

        public override DateTimeOffset GetUtcNow() => base.GetUtcNow().AddTicks(Interlocked.Read(ref _offsetTicks));
    }
}
