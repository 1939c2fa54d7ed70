// LATENCY: events above the threshold, and the histogram of every command.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Protocol;
using Garnet.Store.Changes;
using Xunit;

namespace Garnet.Server.Tests.Commands.Latency;

public sealed class LatencyCommandTests
{
    [Fact]
    public void Commands_past_the_threshold_are_events_by_their_kind()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        server.Call("DEBUG", "SLEEP", "0.02");
        Assert.Equal("*0\r\n", server.Call("LATENCY", "LATEST"));
        server.Call("CONFIG", "SET", "latency-monitor-threshold", "10");
        server.Call("DEBUG", "SLEEP", "0.02");
        server.Call("DEBUG", "SLEEP", "0.015");
        // On a busy machine any command may take that long.
        server.Call("CONFIG", "SET", "latency-monitor-threshold", "0");
        Assert.StartsWith($"*1\r\n*6\r\n$7\r\ncommand\r\n:{server.NowMs / 1000}\r\n:", server.Call("LATENCY", "LATEST"));
        Assert.Matches(@":[2-9]\r\n$", server.Call("LATENCY", "LATEST"));
        Assert.StartsWith($"*1\r\n*2\r\n:{server.NowMs / 1000}\r\n:", server.Call("LATENCY", "HISTORY", "command"));
        Assert.Contains("command - high ", server.Call("LATENCY", "GRAPH", "command"));
        Assert.Contains("1. command: 1 latency spikes", server.Call("LATENCY", "DOCTOR"));
        Assert.Equal(":1\r\n", server.Call("LATENCY", "RESET", "nosuch", "COMMAND"));
        Assert.Equal("*0\r\n", server.Call("LATENCY", "HISTORY", "command"));
        Assert.Equal("-ERR No samples available for event 'command'\r\n", server.Call("LATENCY", "GRAPH", "command"));
    }

    [Theory]
    [InlineData("LATENCY", "*0\r\n")]
    [InlineData("PING", "*1\r\n")]
    public void LATENCY_RESET_is_not_a_sample_itself(string command, string latest)
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "latency-monitor-threshold", "100000");
        CommandContext context = new(server.Client.Session, server.Server.Threads.Current, default)
        {
            Command = server.Server.Commands.Find(Encoding.ASCII.GetBytes(command))!,
        };
        if (context.Command.IsContainer)
            context.Command = context.Command.FindSubcommand("RESET"u8)!;
        ArgumentRange[] arguments = [new ArgumentRange(0, 4)];
        context.Load("PING"u8, arguments);
        server.Server.CommandLogs.RecordSlow(ref context, 1000 * System.Diagnostics.Stopwatch.Frequency);
        Assert.StartsWith(latest, server.Call("LATENCY", "LATEST"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_search_for_expired_keys_past_the_threshold_is_an_event()
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "latency-monitor-threshold", "2");
        server.Call("SET", "k", "v", "PX", "1");
        server.Store.Changes.Observe(new SlowObserver(), isOn: true);
        server.Clock.Advance(TimeSpan.FromSeconds(60));
        while (server.Store.Maintenance.Run()) { }
        server.Call("CONFIG", "SET", "latency-monitor-threshold", "0");
        Assert.Contains($"$12\r\nexpire-cycle\r\n:{server.NowMs / 1000}\r\n:", server.Call("LATENCY", "LATEST"), StringComparison.Ordinal);
        Assert.Contains("expire-cycle - high ", server.Call("LATENCY", "GRAPH", "expire-cycle"), StringComparison.Ordinal);
    }

    [Fact]
    public void Every_second_has_its_own_sample_and_the_oldest_are_dropped()
    {
        using InProcessServer server = new(options =>
        {
            options.EnableDebugCommand = CommandAccess.Yes;
            options.LatencyMonitorThresholdMs = 1;
        });
        for (int i = 0; i < 170; i++)
        {
            server.Call("DEBUG", "SLEEP", "0.001");
            server.Clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.StartsWith("*160\r\n", server.Call("LATENCY", "HISTORY", "command"));
        Assert.Equal(":1\r\n", server.Call("LATENCY", "RESET"));
    }

    [Fact]
    public void The_histogram_counts_all_calls_alone_or_in_pipelines_until_the_statistics_are_reset()
    {
        using InProcessServer server = new();
        server.Call("SET", "k", "v");
        server.Client.Send([
            .. InProcessClient.Request("GET", "k"),
            .. InProcessClient.Request("GET", "k"),
            .. InProcessClient.Request("SET", "k", "w"),
        ]);
        server.Client.Receive();
        Assert.StartsWith(
            "*4\r\n$3\r\nset\r\n*4\r\n$5\r\ncalls\r\n:2\r\n$14\r\nhistogram_usec\r\n",
            server.Call("LATENCY", "HISTOGRAM", "set", "nosuch", "get")
        );
        Assert.Contains("$3\r\nget\r\n*4\r\n$5\r\ncalls\r\n:2\r\n", server.Call("LATENCY", "HISTOGRAM"));
        Assert.Matches(
            @"latency_percentiles_usec_get:p50=\d+\.\d{3},p99=\d+\.\d{3},p99\.9=\d+\.\d{3}\r\n",
            server.Call("INFO", "latencystats")
        );
        server.Call("CONFIG", "RESETSTAT");
        Assert.Equal("*0\r\n", server.Call("LATENCY", "HISTOGRAM", "set", "get"));
        server.Call("CONFIG", "SET", "latency-tracking", "no");
        server.Call("GET", "k");
        Assert.Equal("*0\r\n", server.Call("LATENCY", "HISTOGRAM", "get"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Tracking_begins_and_ends_with_the_command_that_changes_it(bool isTransaction)
    {
        using InProcessServer server = new();
        server.Client.Send([
            .. InProcessClient.Request(isTransaction ? "MULTI" : "PING"),
            .. InProcessClient.Request("GET", "k"),
            .. InProcessClient.Request("CONFIG", "SET", "latency-tracking", "no"),
            .. InProcessClient.Request("GET", "k"),
            .. InProcessClient.Request("STRLEN", "k"),
            .. InProcessClient.Request("CONFIG", "SET", "latency-tracking", "yes"),
            .. InProcessClient.Request("EXISTS", "k"),
            .. InProcessClient.Request(isTransaction ? "EXEC" : "PING"),
        ]);
        server.Client.Receive();
        string counted = server.Call("LATENCY", "HISTOGRAM", "get", "config|set", "strlen", "exists");
        Assert.StartsWith("*6\r\n", counted, StringComparison.Ordinal);
        Assert.Contains("get\r\n*4\r\n$5\r\ncalls\r\n:1\r\n", counted, StringComparison.Ordinal);
        Assert.Contains("config|set\r\n*4\r\n$5\r\ncalls\r\n:1\r\n", counted, StringComparison.Ordinal);
        Assert.DoesNotContain("strlen", counted, StringComparison.Ordinal);
        Assert.Contains("exists\r\n*4\r\n$5\r\ncalls\r\n:1\r\n", counted, StringComparison.Ordinal);
    }

    [Fact]
    public void Subcommands_are_listed_with_their_container()
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "GET", "port");
        server.Call("CLIENT", "ID");
        Assert.StartsWith("*2\r\n$10\r\nconfig|get\r\n", server.Call("LATENCY", "HISTOGRAM", "config"));
        Assert.StartsWith("*2\r\n$9\r\nclient|id\r\n", server.Call("LATENCY", "HISTOGRAM", "CLIENT|ID"));
    }

    // Keeps the thread that removes a key for longer than the threshold.
    private sealed class SlowObserver : IKeyChangeObserver
    {
        public void OnChange(in KeyChange change)
        {
            if (change.Kind == KeyChangeKind.Expired)
                Thread.Sleep(5);
        }

        public void OnFlushed(int database) { }

        public void OnSwapped(int first, int second) { }
    }
}
