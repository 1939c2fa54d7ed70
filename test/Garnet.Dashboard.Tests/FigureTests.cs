// The figures of the last hour and who may see them. Parts alone, or servers with virtual time.
using System.Buffers.Binary;
using System.Net;
using System.Text;
using System.Text.Json;
using Garnet.Client;
using Garnet.Dashboard.Figures;
using Garnet.Testing;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class FigureTests
{
    [Fact]
    public void The_last_hour_takes_less_than_a_megabyte() => Assert.InRange(new History().Bytes, 1, 1_000_000);

    [Fact]
    public async Task Every_figure_is_a_field_of_INFO()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-dashboard-").FullName;
        try
        {
            await using DashboardTestServer server = await DashboardTestServer.StartAsync(o =>
                (o.Dir, o.MaxMemoryBytes, o.MaxDiskBytes) = (folder, 4L << 30, 64 << 20)
            );
            string info = server.Server.InProcess.Execute("INFO").AsString()!;
            string[] summed = ["keys", "saving", "processor", "diskErrors"];
            string[] ofTime = ["used_cpu_sys", "used_cpu_user", "rdb_bgsave_in_progress", "aof_rewrite_in_progress"];
            string[] ofDisk = ["tier_read_errors", "tier_write_errors"];
            Assert.All(
                FigureList.OfInfo.Select(static figure => figure.Field).Except(summed).Concat(ofTime).Concat(ofDisk),
                field => Assert.Contains($"\r\n{field}:", info)
            );
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Without_a_tier_its_figures_are_unknown_and_all_others_known()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        var time = new ManualTimeProvider();
        var recorder = new Recorder(server.Server.Dashboards.Server, time);
        await recorder.LookAsync(CancellationToken.None);
        time.Advance(TimeSpan.FromSeconds(1));
        await recorder.LookAsync(CancellationToken.None);
        string[] unknown = ["cold", "diskUsed", "diskLive", "diskLimit", "movedOut", "movedIn", "diskReads", "diskWaiting", "diskErrors"];
        Assert.Equal(unknown, FigureList.Names[..FigureList.FirstCalls].Where((_, column) => float.IsNaN(recorder.Latest[column])));
    }

    [Fact]
    public void Latencies_are_kept_as_they_are_and_the_largest_of_several_seconds_is_shown()
    {
        var history = new History();
        float[] latencies = [1, 2, 1024, 1L << 39, float.NaN];
        float[] row = new float[FigureList.Count];
        for (int second = 0; second < latencies.Length; second++)
        {
            (row[FigureList.FirstCalls], row[FigureList.AllLatency]) = (second, latencies[second]);
            history.Add(second, row);
        }

        byte[] each = history.Export(History.Seconds, 1, static _ => true);
        Assert.Equal(latencies, Enumerable.Range(0, latencies.Length).Select(second => ValueAt(each, second, FigureList.AllLatency)));
        byte[] all = history.Export(History.Seconds, 5, static _ => true);
        Assert.Equal((2, 1L << 39), (ValueAt(all, 0, FigureList.FirstCalls), ValueAt(all, 0, FigureList.AllLatency)));
    }

    [Fact]
    public void The_history_keeps_an_hour_and_knows_its_gaps()
    {
        var history = new History();
        float[] row = new float[FigureList.Count];
        for (long second = 10_000; second < 14_000; second++)
        {
            row[0] = second;
            if (second is < 13_990 or > 13_995)
                history.Add(second, row);
        }

        byte[] whole = history.Export(History.Seconds, 1, static _ => true);
        Assert.Equal(3600, BinaryPrimitives.ReadInt32LittleEndian(whole));
        Assert.Equal(10_400, BinaryPrimitives.ReadInt64LittleEndian(whole.AsSpan(8)));
        Assert.Equal(10_400, ValueAt(whole, 0, 0));
        Assert.Equal(13_999, ValueAt(whole, 3599, 0));
        Assert.True(float.IsNaN(ValueAt(whole, 3590, 0)));
        byte[] last = history.Export(20, 10, static column => column == 0);
        Assert.Equal(2, BinaryPrimitives.ReadInt32LittleEndian(last));
        Assert.Equal(13_984.5f, ValueAt(last, 0, 0));
        Assert.Equal(13_997.5f, ValueAt(last, 1, 0));
        Assert.True(float.IsNaN(ValueAt(last, 1, 1)));
    }

    [Fact]
    public void A_gap_longer_than_an_hour_leaves_nothing_behind()
    {
        var history = new History();
        float[] row = new float[FigureList.Count];
        history.Add(1000, row);
        history.Add(9000, row);
        byte[] whole = history.Export(History.Seconds, 1, static _ => true);
        Assert.Equal(3600, BinaryPrimitives.ReadInt32LittleEndian(whole));
        Assert.True(float.IsNaN(ValueAt(whole, 0, 0)));
        Assert.Equal(0, ValueAt(whole, 3599, 0));
    }

    [Fact]
    public void An_empty_history_is_empty() =>
        Assert.Equal(0, BinaryPrimitives.ReadInt32LittleEndian(new History().Export(3600, 1, static _ => true)));

    [Fact]
    public void Percentiles_are_of_what_happened_since_the_last_look()
    {
        var window = new LatencyWindow();
        var own = new OwnCalls();
        window.Take(Histogram("get", (1, 100)), own);
        Assert.Equal(["get"], window.Unknown);
        window.SetFamily("get", 0);
        window.Take(Histogram("get", (1, 150), (33, 198), (1081, 200)), own);
        float[] row = new float[FigureList.Count];
        window.Write(row, seconds: 2);
        Assert.Equal(50, row[FigureList.FirstCalls]);
        Assert.Equal(1, row[FigureList.FirstLatency]);
        Assert.Equal(1024, row[FigureList.FirstLatency + 1]);
        Assert.True(float.IsNaN(row[FigureList.FirstLatency + FigureList.LatenciesPerFamily]));
        // The statistics are reset.
        window.Take(Histogram("get", (4, 7)), own);
        window.Write(row, seconds: 1);
        Assert.Equal(7, row[FigureList.FirstCalls]);
        Assert.Equal(4, row[FigureList.FirstLatency + 1]);
    }

    [Fact]
    public void What_a_dashboard_asks_is_left_out()
    {
        var window = new LatencyWindow();
        var own = new OwnCalls();
        window.Take(Histogram("memory|usage", (1, 100)), own);
        window.SetFamily("memory|usage", 0);
        for (int i = 0; i < 30; i++)
            own.Count(Words.Of("MEMORY", "USAGE", $"{i}"));
        window.Take(Histogram("memory|usage", (1, 120), (2, 140)), own);
        float[] row = new float[FigureList.Count];
        window.Write(row, seconds: 1);
        // Ten calls of others among forty: each bucket has lost three quarters.
        Assert.Equal(10, row[FigureList.FirstCalls]);
        Assert.Equal(1, row[FigureList.FirstLatency]);
        Assert.Equal(2, row[FigureList.FirstLatency + 1]);
        for (int i = 0; i < 50; i++)
            own.Count(Words.Of("MEMORY", "USAGE", $"{i}"));
        window.Take(Histogram("memory|usage", (1, 145), (2, 165)), own);
        window.Write(row, seconds: 1);
        Assert.Equal(0, row[FigureList.FirstCalls]);
        Assert.True(float.IsNaN(row[FigureList.AllLatency]));
    }

    [Fact]
    public async Task A_save_between_two_looks_is_seen()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-dashboard-").FullName;
        try
        {
            await using DashboardTestServer server = await DashboardTestServer.StartAsync(o => o.Dir = folder);
            var recorder = new Recorder(server.Server.Dashboards.Server, new ManualTimeProvider());
            int saving = Array.IndexOf(FigureList.Names, "saving");
            await recorder.LookAsync(CancellationToken.None);
            Assert.Equal(0, recorder.Latest[saving]);
            server.Execute("SAVE");
            await recorder.LookAsync(CancellationToken.None);
            Assert.Equal(1, recorder.Latest[saving]);
            await recorder.LookAsync(CancellationToken.None);
            Assert.Equal(0, recorder.Latest[saving]);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task After_a_time_without_answers_rates_are_of_all_that_time()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        var time = new ManualTimeProvider();
        var moody = new MoodyServer(server.Server.Dashboards.Server);
        var recorder = new Recorder(moody, time);
        int commands = Array.IndexOf(FigureList.Names, "commands");
        int calls = Array.IndexOf(FigureList.Names, "strings/calls");
        server.Execute("SET", "key", "value");
        await recorder.LookAsync(CancellationToken.None);
        for (int i = 0; i < 1000; i++)
            server.Execute("SET", "key", "value");
        for (int i = 0; i < 10; i++)
        {
            time.Advance(TimeSpan.FromSeconds(1));
            moody.IsBusy = i < 9;
            await recorder.LookAsync(CancellationToken.None);
            Assert.Equal(moody.IsBusy, float.IsNaN(recorder.Latest[commands]));
        }

        // The server's own dashboard looks, too, and leaves itself out.
        Assert.InRange(recorder.Latest[commands], 100, 101);
        Assert.Equal(100, recorder.Latest[calls]);
    }

    [Fact]
    public void A_clock_that_is_set_back_begins_a_new_history()
    {
        var history = new History();
        float[] row = new float[FigureList.Count];
        history.Add(10_000, row);
        history.Add(9_996, row);
        Assert.Equal(10_000, BinaryPrimitives.ReadInt64LittleEndian(history.Export(10, 1, static _ => true).AsSpan(8)));
        row[0] = 7;
        history.Add(6_400, row);
        history.Add(6_402, row);
        byte[] whole = history.Export(History.Seconds, 1, static _ => true);
        Assert.Equal(3, BinaryPrimitives.ReadInt32LittleEndian(whole));
        Assert.Equal(6_400, BinaryPrimitives.ReadInt64LittleEndian(whole.AsSpan(8)));
        Assert.Equal(7, ValueAt(whole, 0, 0));
        Assert.True(float.IsNaN(ValueAt(whole, 1, 0)));
    }

    [Fact]
    public async Task An_event_comes_each_second_with_what_the_user_may_see()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        server.Execute("ACL", "SETUSER", "all", "on", ">x", "+info", "+latency|histogram");
        server.Execute("ACL", "SETUSER", "some", "on", ">x", "+info");
        server.Execute("ACL", "SETUSER", "none", "on", ">x");
        server.Execute("SET", "key", "value");
        JsonElement all = await EventAsync(server, "all");
        Assert.Equal(FigureList.Count, all.GetProperty("values").GetArrayLength());
        Assert.Empty(all.GetProperty("missing").EnumerateObject());
        Assert.Equal(1, Value(all, "keys")!.Value.GetDouble());
        JsonElement some = await EventAsync(server, "some");
        Assert.NotEqual(JsonValueKind.Null, Value(some, "used")!.Value.ValueKind);
        Assert.Equal(JsonValueKind.Null, Value(some, "other/calls")!.Value.ValueKind);
        Assert.Contains("'latency|histogram'", some.GetProperty("missing").GetProperty("latency").GetString());
        JsonElement none = await EventAsync(server, "none");
        Assert.All(none.GetProperty("values").EnumerateArray(), static value => Assert.Equal(JsonValueKind.Null, value.ValueKind));
        Assert.Contains("'info'", none.GetProperty("missing").GetProperty("info").GetString());
        // Nobody was denied anything: the page asked first.
        Assert.Empty(server.Server.InProcess.Execute("ACL", "LOG").Children);
    }

    [Fact]
    public async Task Rights_that_are_taken_are_gone_with_the_next_event()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        server.Execute("ACL", "SETUSER", "ann", "on", ">x", "+info");
        using Browser browser = await server.OpenAsync("ann", "x");
        using HttpResponseMessage response = await browser.SendAsync(HttpMethod.Get, "api/events", streams: true);
        using var lines = new StreamReader(await response.Content.ReadAsStreamAsync());
        Assert.False((await NextAsync(lines)).GetProperty("missing").TryGetProperty("info", out JsonElement _));
        server.Execute("ACL", "SETUSER", "ann", "-info");
        while (!(await NextAsync(lines)).GetProperty("missing").TryGetProperty("info", out JsonElement _))
            Assert.NotNull(lines);
        server.Execute("ACL", "SETUSER", "ann", "off");
        // The stream ends, and there is no way back.
        while (await lines.ReadLineAsync() is not null)
            Assert.NotNull(lines);
        Assert.Equal(HttpStatusCode.Unauthorized, await browser.StatusAsync(HttpMethod.Get, "api/events"));
    }

    [Theory]
    [InlineData("clients", "client|list", "id=")]
    [InlineData("replication", "info", "role:master")]
    [InlineData("saving", "info", "rdb_saves:0")]
    [InlineData("server", "info", "garnet_version:")]
    [InlineData("log", "config|get", "notice")]
    public async Task A_table_shows_its_rows_or_names_the_right_that_is_missing(string panel, string right, string expected)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        server.Execute("ACL", "SETUSER", "ann", "on", ">x", "+" + right);
        server.Execute("ACL", "SETUSER", "bob", "on", ">x", "+@all", "-" + right);
        using Browser ann = await server.OpenAsync("ann", "x");
        JsonElement table = await ann.GetAsync("api/panels/" + panel);
        Assert.Contains(
            table.GetProperty("lines").EnumerateArray(),
            line => line.GetString()!.Contains(expected, StringComparison.Ordinal)
        );
        using Browser bob = await server.OpenAsync("bob", "x");
        Assert.Contains($"'{right}'", (await bob.GetAsync("api/panels/" + panel)).GetProperty("missing").GetString());
    }

    [Fact]
    public async Task A_user_whose_connection_is_held_up_holds_up_nobody()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        server.Execute("ACL", "SETUSER", "ann", "on", ">x", "~*", "+client|list", "+xread");
        using Browser ann = await server.OpenAsync("ann", "x");
        using Browser other = await server.OpenAsync("", "secret");
        Task<JsonElement> blocked = ann.PostAsync("api/command", new { db = 0, line = "XREAD BLOCK 0 STREAMS stream $" });
        while (!server.Server.InProcess.Execute("INFO", "clients").AsString()!.Contains("blocked_clients:1", StringComparison.Ordinal))
            await Task.Delay(1);
        Task<JsonElement> waiting = ann.GetAsync("api/panels/clients");
        Assert.NotEqual(0, (await other.GetAsync("api/panels/clients")).GetProperty("lines").GetArrayLength());
        // The other one has not waited for the end of the blocking command: it still blocks.
        server.Execute("XADD", "stream", "*", "field", "value");
        Assert.True((await blocked).TryGetProperty("reply", out JsonElement _));
        Assert.True((await waiting).TryGetProperty("lines", out JsonElement _));
    }

    [Fact]
    public async Task A_users_connection_is_a_client_like_any_other()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = await server.OpenAsync();
        string client = (await browser.GetAsync("api/panels/clients")).GetProperty("lines")[0].GetString()!;
        Assert.Contains(" name=garnet-dashboard ", client);
        Assert.Contains(" addr=127.0.0.1:", client);
        Assert.Contains(" user=default ", client);
    }

    // Answers looks as another one does, or not at all.
    private sealed class MoodyServer(IDashboardServer inner) : IDashboardServer
    {
        public bool IsBusy { get; set; }

        public bool RequiresLogin => inner.RequiresLogin;

        public string Version => inner.Version;

        public IReadOnlyList<string> LogLines => inner.LogLines;

        public OwnCalls OwnCalls => inner.OwnCalls;

        public string? LoginState(string user) => inner.LoginState(user);

        public ValueTask<RespValue> CallAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken) =>
            IsBusy
                ? ValueTask.FromResult(new RespValue { Kind = RespKind.Error, Bytes = "BUSY"u8.ToArray() })
                : inner.CallAsync(arguments, cancellationToken);

        public Stream Connect(EndPoint peer, string? user) => inner.Connect(peer, user);
    }

    private static async Task<JsonElement> EventAsync(DashboardTestServer server, string user)
    {
        using Browser browser = await server.OpenAsync(user, "x");
        using HttpResponseMessage response = await browser.SendAsync(HttpMethod.Get, "api/events", streams: true);
        Assert.Equal("text/event-stream", response.Content.Headers.ContentType!.MediaType);
        using var lines = new StreamReader(await response.Content.ReadAsStreamAsync());
        return await NextAsync(lines);
    }

    private static async Task<JsonElement> NextAsync(StreamReader lines)
    {
        while (await lines.ReadLineAsync() is { } line)
        {
            if (!line.StartsWith("data: ", StringComparison.Ordinal))
                continue;
            using var document = JsonDocument.Parse(line["data: ".Length..]);
            return document.RootElement.Clone();
        }

        throw new EndOfStreamException("The stream of events has ended.");
    }

    private static JsonElement? Value(JsonElement message, string column) =>
        message.GetProperty("values")[Array.IndexOf(FigureList.Names, column)];

    private static float ValueAt(byte[] history, int row, int column) =>
        BinaryPrimitives.ReadSingleLittleEndian(history.AsSpan(24 + (((row * FigureList.Count) + column) * 4)));

    private static RespValue Histogram(string command, params (long Bound, long UpTo)[] buckets)
    {
        var text = new StringBuilder();
        text.Append(
            $"%1\r\n${command.Length}\r\n{command}\r\n%2\r\n+calls\r\n:{buckets[^1].UpTo}\r\n+histogram_usec\r\n%{buckets.Length}\r\n"
        );
        foreach ((long bound, long upTo) in buckets)
            text.Append($":{bound}\r\n:{upTo}\r\n");
        int position = 0;
        return new ReplyParser().Parse(Encoding.UTF8.GetBytes(text.ToString()), ref position)!;
    }
}
