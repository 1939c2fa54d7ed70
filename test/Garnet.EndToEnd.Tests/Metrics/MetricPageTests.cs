// The metrics and health pages, as scrapers and orchestrators see them. Each test has its own server.
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Metrics;

public sealed class MetricPageTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-metrics-").FullName;
    private readonly HttpClient _http = new() { Timeout = Patience };

    public void Dispose()
    {
        _http.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task The_page_is_valid_and_counts_what_was_done()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions());
        using (var client = RespExchange.Connect(server.EndPoints[0]))
        {
            for (int i = 0; i < 10; i++)
                client.ExecuteText("SET", $"k{i}", "v");
            client.ExecuteText("GET", "k1");
            client.ExecuteText("GET", "none");
            client.ExecuteText("INCR", "k1");
            client.ExecuteText("HSET", "h", "f", "v");
            client.ExecuteText("CONFIG", "GET", "port");
            PrometheusPage page = await PageAsync(server);
            Assert.Equal(13, page["garnet_commands_total{family=\"string\"}"]);
            Assert.Equal(1, page["garnet_commands_total{family=\"hash\"}"]);
            Assert.Equal(1, page["garnet_commands_total{family=\"server\"}"]);
            Assert.Equal(1, page["garnet_commands_failed_total{family=\"string\"}"]);
            Assert.Equal(1, page["garnet_errors_total{code=\"ERR\"}"]);
            Assert.Equal(13, page["garnet_command_duration_seconds_count{family=\"string\"}"]);
            Assert.Equal(13, page["garnet_command_duration_seconds_bucket{family=\"string\",le=\"+Inf\"}"]);
            Assert.True(page["garnet_command_duration_seconds_sum{family=\"string\"}"] > 0);
            Assert.Equal(1, page["garnet_keyspace_hits_total"]);
            Assert.Equal(1, page["garnet_keyspace_misses_total"]);
            Assert.Equal(11, page["garnet_keys{database=\"0\"}"]);
            Assert.Equal(server.Resp.Store.Statistics.Changes, page["garnet_changes_total"]);
            Assert.Equal(1, page["garnet_connections"]);
            Assert.True(page["garnet_network_io_bytes_total{direction=\"in\"}"] > 100);
            Assert.True(page["garnet_memory_used_bytes{kind=\"index\"}"] > 0);
            Assert.Equal(1, page["garnet_io_thread_connections{thread=\"0\"}"]);
            Assert.Equal(0, page["garnet_loading"]);
        }

        PrometheusPage later = await PageAsync(server);
        Assert.True(later["garnet_uptime_seconds"] >= 0);
    }

    [PeerFact("python3-prometheus-client")]
    public async Task Prometheus_own_library_reads_the_page()
    {
        await using GarnetServer server = await StartUsedAsync();
        const string Program =
            "import sys; from prometheus_client.parser import text_string_to_metric_families as read; [print(f.name, f.type, len(f.samples)) for f in read(sys.stdin.read())]";
        string page = await _http.GetStringAsync(AddressOf(server, "/metrics"));
        var reader = ClientProcess.Run(Peers.Python, ["-c", Program], page);
        Assert.True(reader.ExitCode == 0, reader.Output);
        string[] read = reader.Output.TrimEnd().Split('\n');
        Assert.Equal(PrometheusPage.Parse(page).Types.Count, read.Length);
        Assert.DoesNotContain(read, static line => line.Contains(" unknown ", StringComparison.Ordinal));
        Assert.Contains(read, static line => line.StartsWith("garnet_commands counter ", StringComparison.Ordinal));
        Assert.Contains(read, static line => line.StartsWith("garnet_command_duration_seconds histogram ", StringComparison.Ordinal));
    }

    [PeerFact("promtool")]
    public async Task Promtool_accepts_the_page()
    {
        await using GarnetServer server = await StartUsedAsync();
        var check = ClientProcess.Run(
            Peers.Find("promtool"),
            ["check", "metrics"],
            await _http.GetStringAsync(AddressOf(server, "/metrics"))
        );
        Assert.True(check.ExitCode == 0 && check.Output.Length == 0, check.Output);
    }

    [Fact]
    public async Task Error_codes_of_any_kind_leave_the_page_valid()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions { EnableDebugCommand = CommandAccess.Yes });
        using var client = RespExchange.Connect(server.EndPoints[0]);
        client.ExecuteText("DEBUG", "ERROR", "WE\"IRD\\{} oh");
        client.ExecuteText("NO\nSUCH");
        PrometheusPage page = await PageAsync(server);
        Assert.Contains(page.Values.Keys, static series => series.StartsWith("garnet_errors_total", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_saved_snapshot_is_reported()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions { Dir = _folder });
        using var client = RespExchange.Connect(server.EndPoints[0]);
        client.ExecuteText("SET", "k", "v");
        Assert.Equal(1, (await PageAsync(server))["garnet_checkpoint_unsaved_changes"]);
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        PrometheusPage page = await PageAsync(server);
        Assert.Equal(0, page["garnet_checkpoint_unsaved_changes"]);
        Assert.Equal(1, page["garnet_checkpoint_saves_total"]);
        Assert.Equal(0, page["garnet_checkpoint_failing"]);
        Assert.True(page["garnet_checkpoint_last_size_bytes"] > 0);
        Assert.Equal(HttpStatusCode.OK, (await GetAsync(server, "/healthz/ready")).Status);
    }

    [Fact]
    public async Task A_server_that_cannot_save_is_live_but_not_ready()
    {
        string gone = Path.Combine(_folder, "gone");
        Directory.CreateDirectory(gone);
        await using GarnetServer server = await StartAsync(new GarnetOptions { Dir = gone });
        using var client = RespExchange.Connect(server.EndPoints[0]);
        client.ExecuteText("SET", "k", "v");
        Directory.Delete(gone, recursive: true);
        Assert.StartsWith("-ERR", client.ExecuteText("SAVE"), StringComparison.Ordinal);
        (HttpStatusCode status, string text) = await GetAsync(server, "/healthz/ready");
        Assert.Equal(HttpStatusCode.ServiceUnavailable, status);
        Assert.StartsWith("the last snapshot failed: ", text, StringComparison.Ordinal);
        Assert.Equal((HttpStatusCode.OK, "alive\n"), await GetAsync(server, "/healthz/live"));
        Assert.Equal(1, (await PageAsync(server))["garnet_checkpoint_failing"]);
        Directory.CreateDirectory(gone);
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        Assert.Equal((HttpStatusCode.OK, "ready\n"), await GetAsync(server, "/healthz/ready"));
    }

    [Fact]
    public async Task A_server_that_cannot_move_values_to_disk_is_live_but_not_ready()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions());
        using MemoryTierDevice device = ColdServer.Open(server.Resp.Store, server.Resp.Executor.Gates.ColdValues);
        using var client = RespExchange.Connect(server.EndPoints[0]);
        client.ExecuteText("SET", "k", "v");
        TierSweep.MoveAll(server.Resp.Store);
        PrometheusPage page = await PageAsync(server);
        Assert.Equal(1, page["garnet_tier_enabled"]);
        Assert.Equal(1, page["garnet_tier_keys"]);
        Assert.Equal(0, page["garnet_tier_failing"]);
        device.WriteError = 28;
        for (int i = 0; i < 8; i++)
        {
            client.ExecuteText("SET", "k", "w");
            TierSweep.MoveAll(server.Resp.Store);
        }

        Assert.True(SpinWait.SpinUntil(() => !server.IsReady, Patience));
        (HttpStatusCode status, string text) = await GetAsync(server, "/healthz/ready");
        Assert.Equal(HttpStatusCode.ServiceUnavailable, status);
        Assert.StartsWith("values cannot be moved to disk: ", text, StringComparison.Ordinal);
        Assert.Equal((HttpStatusCode.OK, "alive\n"), await GetAsync(server, "/healthz/live"));
        page = await PageAsync(server);
        Assert.Equal(1, page["garnet_tier_failing"]);
        Assert.Equal(8, page["garnet_tier_errors_total{kind=\"write\"}"]);
        Assert.Equal("$1\r\nw\r\n", client.ExecuteText("GET", "k"));
    }

    [Fact]
    public async Task A_server_whose_log_cannot_be_written_is_live_but_not_ready()
    {
        TroubledLogFolder? folder = null;
        await using GarnetServer server = new GarnetServerBuilder
        {
            Options = new GarnetOptions { Dir = _folder, AppendOnly = true },
            LogFolders = path => folder = new TroubledLogFolder(path),
        }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .ListenMetrics(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        await server.StartAsync();
        Assert.Equal((HttpStatusCode.OK, "ready\n"), await GetAsync(server, "/healthz/ready"));
        using var client = RespExchange.Connect(server.EndPoints[0]);
        folder!.WriteError = TroubledLogFolder.NoSpace;
        Assert.True(
            SpinWait.SpinUntil(() => client.ExecuteText("SET", "k", "v").StartsWith("-MISCONF ", StringComparison.Ordinal), Patience)
        );
        (HttpStatusCode status, string text) = await GetAsync(server, "/healthz/ready");
        Assert.Equal(HttpStatusCode.ServiceUnavailable, status);
        Assert.StartsWith("the append-only log cannot be written: ", text, StringComparison.Ordinal);
        Assert.Equal((HttpStatusCode.OK, "alive\n"), await GetAsync(server, "/healthz/live"));
        Assert.Equal(1, (await PageAsync(server))["garnet_aof_failing"]);
        folder.WriteError = 0;
        Assert.True(SpinWait.SpinUntil(() => server.IsReady, Patience), server.NotReadyReason);
        Assert.Equal((HttpStatusCode.OK, "ready\n"), await GetAsync(server, "/healthz/ready"));
    }

    [Fact]
    public async Task A_loading_server_is_live_but_not_ready()
    {
        // Like a start with an unfinished load: the endpoints are open, but the data is not there.
        await using GarnetServer server = await StartAsync(new GarnetOptions { Dir = _folder });
        server.Resp.Persistence.Loading = new Garnet.Server.Basics.LoadingStatus(0) { LoadedBytes = 1, TotalBytes = 2 };
        (HttpStatusCode status, string text) = await GetAsync(server, "/healthz/ready");
        Assert.Equal((HttpStatusCode.ServiceUnavailable, "loading: 50 % of 2 bytes\n"), (status, text));
        Assert.Equal(HttpStatusCode.OK, (await GetAsync(server, "/healthz/live")).Status);
        Assert.Equal(1, (await PageAsync(server))["garnet_loading"]);
        server.Resp.Persistence.Loading = null;
        Assert.Equal(HttpStatusCode.OK, (await GetAsync(server, "/healthz/ready")).Status);
    }

    [Fact]
    public async Task Other_requests_are_rejected_and_the_endpoint_is_off_by_default()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions());
        Assert.Equal(HttpStatusCode.NotFound, (await GetAsync(server, "/")).Status);
        using HttpResponseMessage posted = await _http.PostAsync(AddressOf(server, "/metrics"), content: null);
        Assert.Equal(HttpStatusCode.MethodNotAllowed, posted.StatusCode);
        using HttpResponseMessage head = await _http.SendAsync(new HttpRequestMessage(HttpMethod.Head, AddressOf(server, "/metrics")));
        Assert.Equal(HttpStatusCode.OK, head.StatusCode);
        using (var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 20_000 })
        {
            socket.Connect(server.MetricEndPoints[0]);
            socket.Send(Encoding.ASCII.GetBytes("*1\r\n$4\r\nPING\r\n"));
            byte[] answer = new byte[200];
            Assert.StartsWith("HTTP/1.1 400", Encoding.ASCII.GetString(answer, 0, socket.Receive(answer)), StringComparison.Ordinal);
        }

        await using GarnetServer quiet = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        await quiet.StartAsync();
        Assert.Empty(quiet.MetricEndPoints);
    }

    [Fact]
    public async Task A_stopped_server_is_not_ready()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions());
        Assert.True(server.IsReady);
        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        await server.StopAsync(timeout.Token);
        Assert.False(server.IsReady);
    }

    // With samples of every kind: commands of two families, an error, a snapshot.
    private async Task<GarnetServer> StartUsedAsync()
    {
        GarnetServer server = await StartAsync(new GarnetOptions { Dir = _folder });
        using var client = RespExchange.Connect(server.EndPoints[0]);
        client.ExecuteText("SET", "k", "v", "EX", "100");
        client.ExecuteText("INCR", "k");
        client.ExecuteText("SAVE");
        return server;
    }

    private static async Task<GarnetServer> StartAsync(GarnetOptions options)
    {
        GarnetServer server = new GarnetServerBuilder { Options = options }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .ListenMetrics(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        await server.StartAsync();
        return server;
    }

    private static Uri AddressOf(GarnetServer server, string path) => new($"http://{server.MetricEndPoints[0]}{path}");

    private async Task<PrometheusPage> PageAsync(GarnetServer server)
    {
        using HttpResponseMessage response = await _http.GetAsync(AddressOf(server, "/metrics"));
        Assert.Equal("text/plain; version=0.0.4; charset=utf-8", response.Content.Headers.ContentType!.ToString());
        return PrometheusPage.Parse(await response.Content.ReadAsStringAsync());
    }

    private async Task<(HttpStatusCode Status, string Text)> GetAsync(GarnetServer server, string path)
    {
        using HttpResponseMessage response = await _http.GetAsync(AddressOf(server, path));
        return (response.StatusCode, await response.Content.ReadAsStringAsync());
    }
}
