// CONFIG RESETSTAT, and the fields of INFO about replication's traffic and the event loop.
using System.Globalization;
using Garnet.Server.Tests.Persistence;
using Xunit;

namespace Garnet.Server.Tests.Statistics;

public sealed class ResetStatTests
{
    // Those that Valkey resets, as far as they change here.
    private static readonly string[] Reset =
    [
        "sync_full",
        "sync_partial_ok",
        "sync_partial_err",
        "total_net_repl_output_bytes",
        "rdb_saves",
        "total_forks",
        "unexpected_error_replies",
        "total_error_replies",
        "keyspace_hits",
        "expired_keys",
    ];

    [Fact]
    public void It_resets_what_Valkey_resets()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-reset-").FullName;
        using (InProcessServer server = new(options => options.Dir = folder))
        {
            server.Call("CONFIG", "SET", "repl-diskless-sync-delay", "0");
            server.Call("SET", "a", "1");
            server.Call("SET", "b", "1", "PX", "1");
            server.Call("GET", "a");
            server.Call("INCR", "none", "none");
            Assert.Equal("+OK\r\n", LoggedServer.Call(server.Client, "SAVE"));
            InProcessClient first = server.Connect();
            first.Call("REPLCONF", "capa", "eof");
            first.Call("PSYNC", "0123456789abcdef0123456789abcdef01234567", "1");
            InProcessClient second = server.Connect();
            second.Call("PSYNC", server.Server.Replication.History.Id, "1");
            server.Server.Statistics.CountUnexpectedReply();
            string received = "";
            server.AwaitInTime(() =>
            {
                server.Call("GET", "b");
                received += first.Receive();
                return received.Contains("EOF", StringComparison.Ordinal) && Number(server, "total_net_repl_output_bytes") > 0;
            });
            foreach (string field in Reset)
                Assert.True(Number(server, field) > 0, field);
            // Replicas that stay would be sent something at any moment.
            first.Dispose();
            second.Dispose();
            LoggedServer.Await(() => server.Call("INFO", "replication").Contains("connected_slaves:0\r\n", StringComparison.Ordinal));
            Assert.Equal("+OK\r\n", server.Call("CONFIG", "RESETSTAT"));
            foreach (string field in Reset)
                Assert.True(Number(server, field) == 0, field);
        }

        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void The_debug_section_is_shown_only_by_its_name()
    {
        using InProcessServer server = new();
        for (int i = 0; i < 3; i++)
        {
            server.Client.Send([
                .. InProcessClient.Request("PING"),
                .. InProcessClient.Request("PING"),
                .. InProcessClient.Request("PING"),
            ]);
        }

        server.Client.Discard();
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        string debug = server.Call("INFO", "debug");
        Assert.Contains("# Debug\r\n", debug, StringComparison.Ordinal);
        Assert.Contains("eventloop_cmd_per_cycle_max:3\r\n", debug, StringComparison.Ordinal);
        Assert.DoesNotContain("eventloop_duration_max:0\r\n", debug, StringComparison.Ordinal);
        Assert.DoesNotContain("eventloop_duration_cron_sum:0\r\n", debug, StringComparison.Ordinal);
        foreach (string section in (string[])["all", "everything", "default"])
            Assert.DoesNotContain("# Debug", server.Call("INFO", section), StringComparison.Ordinal);
        server.Call("CONFIG", "RESETSTAT");
        Assert.Contains("eventloop_cmd_per_cycle_max:1\r\n", server.Call("INFO", "debug"), StringComparison.Ordinal);
    }

    [Fact]
    public void Rates_of_replication_are_measured()
    {
        using InProcessServer server = new();
        server.Server.Statistics.Rates.Sample([], 1, 0, 0);
        server.Server.Statistics.Rates.Sample([], 1 + System.Diagnostics.Stopwatch.Frequency, 16 * 1024, 32 * 1024);
        string stats = server.Call("INFO", "stats");
        Assert.Contains("instantaneous_input_repl_kbps:1.00\r\n", stats, StringComparison.Ordinal);
        Assert.Contains("instantaneous_output_repl_kbps:2.00\r\n", stats, StringComparison.Ordinal);
    }

    private static long Number(InProcessServer server, string field)
    {
        string line = Assert.Single(
            server.Call("INFO", "all").Split("\r\n"),
            line => line.StartsWith(field + ":", StringComparison.Ordinal)
        );
        return long.Parse(line[(field.Length + 1)..], CultureInfo.InvariantCulture);
    }
}
