// What kinds of callers other than RESP2 clients see of a slow script: RESP3, calls in the process, and links of replicas.
using Garnet.EndToEnd.Tests.Replication;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Scripting;

/// <summary>The scripts are endless, and the threshold is a millisecond, as in <see cref="BusyScriptTests"/>.</summary>
public sealed class BusyCallerTests
{
    private const string Endless = "while true do end";
    private const string Busy = "-BUSY Valkey is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.\r\n";
    private const string BusyFunction = "-BUSY Valkey is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.\r\n";

    [Fact]
    public void RESP3_clients_get_the_same_errors_and_maps()
    {
        using var server = TestServer.Start(options => options.BusyReplyThresholdMs = 1);
        using RespExchange caller = server.Connect();
        using RespExchange other = server.Connect();
        caller.Execute("HELLO", "3");
        other.Execute("HELLO", "3");
        other.Execute("FUNCTION", "LOAD", $"#!lua name=one\nredis.register_function('f', function() {Endless} end)");
        caller.Send(RespExchange.Encode(["FCALL"u8.ToArray(), "f"u8.ToArray(), "0"u8.ToArray()]));
        AwaitBusy(other, BusyFunction);
        Assert.Equal(BusyFunction, other.ExecuteText("SCRIPT", "KILL"));
        Assert.StartsWith(
            "%2\r\n$14\r\nrunning_script\r\n%3\r\n$4\r\nname\r\n$1\r\nf\r\n$7\r\ncommand\r\n*3\r\n$5\r\nFCALL\r\n",
            other.ExecuteText("FUNCTION", "STATS"),
            StringComparison.Ordinal
        );
        Assert.Equal("_\r\n", other.ExecuteText("CLIENT", "GETNAME"));
        Assert.Equal("+OK\r\n", other.ExecuteText("FUNCTION", "KILL"));
        Assert.StartsWith("-ERR Script killed by user with FUNCTION KILL.", Text(caller.ReadReply()), StringComparison.Ordinal);
        Assert.StartsWith("%2\r\n$14\r\nrunning_script\r\n_\r\n", other.ExecuteText("FUNCTION", "STATS"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Calls_in_the_process_throw_the_error_and_can_end_the_script()
    {
        var options = new GarnetOptions { Bind = [], BusyReplyThreshold = TimeSpan.FromMilliseconds(1) };
        await using GarnetServer server = new GarnetServerBuilder { Options = options }.Build();
        await server.StartAsync();
        IGarnet garnet = server.InProcess;
        Task script = Task.Run(() => garnet.Execute("EVAL", Endless, "0"));
        GarnetCommandException? busy = null;
        while (busy is null)
            busy = Record.Exception(() => garnet.Execute("PING")) as GarnetCommandException;
        Assert.Equal("BUSY", busy.Code);
        Assert.Equal("BUSY", (await Assert.ThrowsAsync<GarnetCommandException>(() => garnet.ExecuteAsync("GET", ["k"]).AsTask())).Code);
        Assert.Equal("OK", garnet.Execute("SCRIPT", "KILL").AsString());
        Assert.Contains(
            "killed by user",
            (await Assert.ThrowsAsync<GarnetCommandException>(() => script)).Message,
            StringComparison.Ordinal
        );
        Assert.Equal("PONG", garnet.Execute("PING").AsString());
    }

    [Fact]
    public void A_replica_whose_primary_runs_a_slow_script_stays_connected()
    {
        using var primary = ReplicationNode.Start(ReplicationNode.Ours, static options => options.BusyReplyThresholdMs = 1);
        using var replica = ReplicationNode.Start(ReplicationNode.Ours);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        using RespExchange caller = primary.Connect();
        using RespExchange other = primary.Connect();
        other.Execute("SET", "a", "1");
        caller.Send(RespExchange.Encode(["EVAL"u8.ToArray(), "while true do end"u8.ToArray(), "0"u8.ToArray()]));
        AwaitBusy(other, Busy);
        Assert.Equal("up", replica.Info()["master_link_status"]);
        // What was written before the script arrives during it.
        ReplicationNode.Await(() => replica.Call("GET", "a") == "$1\r\n1\r\n");
        Assert.Equal("+OK\r\n", other.ExecuteText("SCRIPT", "KILL"));
        caller.ReadReply();
        other.Execute("SET", "a", "2");
        replica.AwaitSync(primary);
        Assert.Equal("$1\r\n2\r\n", replica.Call("GET", "a"));
        Assert.Equal("1", primary.Info("stats")["sync_full"]);
    }

    [Fact]
    public void A_replica_that_runs_a_slow_script_applies_the_stream_afterwards()
    {
        using var primary = ReplicationNode.Start(ReplicationNode.Ours);
        using var replica = ReplicationNode.Start(ReplicationNode.Ours, static options => options.BusyReplyThresholdMs = 1);
        replica.Follow(primary);
        replica.AwaitSync(primary);
        using RespExchange caller = replica.Connect();
        using RespExchange other = replica.Connect();
        caller.Send(RespExchange.Encode(["EVAL_RO"u8.ToArray(), "while true do end"u8.ToArray(), "0"u8.ToArray()]));
        AwaitBusy(other, Busy);
        for (int i = 0; i < 100; i++)
            primary.Call("INCR", "n");
        Assert.Equal(Busy, other.ExecuteText("GET", "n"));
        Assert.Equal("+OK\r\n", other.ExecuteText("SCRIPT", "KILL"));
        caller.ReadReply();
        replica.AwaitSync(primary);
        Assert.Equal("$3\r\n100\r\n", other.ExecuteText("GET", "n"));
        Assert.Equal("1", primary.Info("stats")["sync_full"]);
    }

    // Whether the script has begun is not known before.
    private static void AwaitBusy(RespExchange client, string busy)
    {
        string reply;
        do reply = client.ExecuteText("PING");
        while (reply == "+PONG\r\n");
        Assert.Equal(busy, reply);
    }

    private static string Text(byte[]? reply) =>
        System.Text.Encoding.ASCII.GetString(reply ?? throw new IOException("The server closed the connection."));
}
