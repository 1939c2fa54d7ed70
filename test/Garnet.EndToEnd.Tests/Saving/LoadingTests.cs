// What a server restores after a restart, and what clients are told meanwhile. Servers in temporary folders.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Garnet.Server.Persistence;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Saving;

public sealed class LoadingTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-load-").FullName;

    private string Snapshot => Path.Combine(_folder, "dump.rdb");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_server_starts_with_what_was_saved()
    {
        using (TestServer server = Start())
        {
            using RespExchange client = server.Connect();
            client.ExecuteText("SET", "plain", "value");
            client.ExecuteText("SET", "number", "12345");
            client.ExecuteText("SET", "large", new string('x', 300_000));
            client.ExecuteText("SET", "expiring", "soon", "EX", "1000");
            client.ExecuteText("SET", "expired", "now", "PX", "1");
            client.ExecuteText("SELECT", "5");
            client.ExecuteText("SET", "elsewhere", "");
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
            client.ExecuteText("SET", "late", "lost");
        }

        using TestServer again = Start();
        using RespExchange reader = again.Connect();
        Assert.Equal(":4\r\n", reader.ExecuteText("DBSIZE"));
        Assert.Equal("$5\r\nvalue\r\n", reader.ExecuteText("GET", "plain"));
        Assert.Equal("$5\r\n12345\r\n", reader.ExecuteText("GET", "number"));
        Assert.Equal(":300000\r\n", reader.ExecuteText("STRLEN", "large"));
        Assert.Matches("^:(1000|9..)\r\n$", reader.ExecuteText("TTL", "expiring"));
        reader.ExecuteText("SELECT", "5");
        Assert.Equal("$0\r\n\r\n", reader.ExecuteText("GET", "elsewhere"));
        string info = reader.ExecuteText("INFO", "persistence");
        Assert.Contains("rdb_last_load_keys_loaded:5\r\n", info, StringComparison.Ordinal);
        Assert.Contains("rdb_changes_since_last_save:0\r\n", info, StringComparison.Ordinal);
        Assert.Contains("loading:0\r\n", info, StringComparison.Ordinal);
    }

    [Fact]
    public void A_damaged_snapshot_fails_the_start_and_is_named()
    {
        using (TestServer server = Start())
        {
            using RespExchange client = server.Connect();
            client.ExecuteText("SET", "key", "a value that is long enough to be hit");
            client.ExecuteText("SAVE");
        }

        byte[] bytes = File.ReadAllBytes(Snapshot);
        bytes[^30] ^= 1;
        File.WriteAllBytes(Snapshot, bytes);
        DataLoadException thrown = Assert.Throws<DataLoadException>(Start);
        Assert.Contains(Snapshot, thrown.Message, StringComparison.Ordinal);
        ClientProcess run = GarnetProcess.Run("--port", "0", "--unixsocket", Path.Combine(_folder, "s"), "--dir", _folder);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains($"garnet: {Snapshot} is damaged", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task While_data_is_loading_most_commands_reply_LOADING()
    {
        byte[] bytes = await SaveSomeAsync();
        File.Delete(Snapshot);
        Assert.Equal(0, ClientProcess.Run("/usr/bin/env", ["mkfifo", Snapshot]).ExitCode);
        GarnetServer server = new GarnetServerBuilder { Options = new GarnetOptions { Dir = _folder } }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        await using (server)
        {
            Task started = server.StartAsync();
            // Opening a FIFO waits for its reader, with a timeout.
            await using (
                FileStream pipe = await Task.Run(() =>
                        new FileStream(Snapshot, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0)
                    )
                    .WaitAsync(Patience)
            )
            {
                await pipe.WriteAsync(bytes.AsMemory(0, bytes.Length / 2)).AsTask().WaitAsync(Patience);
                using RespExchange client = await ConnectAsync(server);
                Assert.Equal("-LOADING Garnet is loading the dataset in memory\r\n", client.ExecuteText("GET", "key:1"));
                Assert.Equal("-LOADING Garnet is loading the dataset in memory\r\n", client.ExecuteText("PING"));
                Assert.Equal("-LOADING Garnet is loading the dataset in memory\r\n", client.ExecuteText("BGSAVE"));
                Assert.Contains("loading:1\r\n", client.ExecuteText("INFO", "persistence"), StringComparison.Ordinal);
                Assert.StartsWith(":", client.ExecuteText("LASTSAVE"), StringComparison.Ordinal);
                Assert.False(started.IsCompleted);
                await pipe.WriteAsync(bytes.AsMemory(bytes.Length / 2)).AsTask().WaitAsync(Patience);
            }

            await started.WaitAsync(Patience);
            using RespExchange later = await ConnectAsync(server);
            Assert.Equal("+PONG\r\n", later.ExecuteText("PING"));
            Assert.Equal(":3000\r\n", later.ExecuteText("DBSIZE"));
            await server.StopAsync();
        }
    }

    [Fact]
    public void DEBUG_RELOAD_loads_functions_anew()
    {
        using var server = TestServer.Start(options =>
        {
            options.Dir = _folder;
            options.EnableDebugCommand = CommandAccess.Yes;
        });
        using RespExchange client = server.Connect();
        client.ExecuteText("FUNCTION", "LOAD", "#!lua name=a\nlocal n = 0 redis.register_function('f', function() n = n + 1 return n end)");
        client.ExecuteText("FCALL", "f", "0");
        Assert.Equal(":2\r\n", client.ExecuteText("FCALL", "f", "0"));
        Assert.Equal("+OK\r\n", client.ExecuteText("DEBUG", "RELOAD"));
        Assert.Equal(":1\r\n", client.ExecuteText("FCALL", "f", "0"));
        client.ExecuteText("FUNCTION", "LOAD", "#!lua name=b\nredis.register_function('g', function() return 1 end)");
        Assert.Equal("+OK\r\n", client.ExecuteText("DEBUG", "RELOAD", "NOSAVE"));
        Assert.Equal("-ERR Function not found\r\n", client.ExecuteText("FCALL", "g", "0"));
        Assert.Equal(":1\r\n", client.ExecuteText("FCALL", "f", "0"));
    }

    // The file format that Redis 7.0 reads has no field for it in a stream.
    [Fact]
    public void DEBUG_RELOAD_keeps_when_the_consumers_of_a_stream_were_active()
    {
        using var server = TestServer.Start(options =>
        {
            options.Dir = _folder;
            options.EnableDebugCommand = CommandAccess.Yes;
        });
        using RespExchange client = server.Connect();
        client.ExecuteText("XADD", "s", "1-1", "f", "v");
        client.ExecuteText("XGROUP", "CREATE", "s", "g", "0");
        client.ExecuteText("XGROUP", "CREATE", "s", "h", "0");
        client.ExecuteText("XGROUP", "CREATECONSUMER", "s", "g", "never");
        client.ExecuteText("XREADGROUP", "GROUP", "g", "once", "STREAMS", "s", ">");
        client.ExecuteText("XGROUP", "CREATECONSUMER", "s", "h", "never");
        client.ExecuteText("SET", "k", "v");
        string before = client.ExecuteText("XINFO", "STREAM", "s", "FULL");
        Assert.Contains("$11\r\nactive-time\r\n:-1\r\n", before, StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", client.ExecuteText("DEBUG", "RELOAD"));
        Assert.Equal(before, client.ExecuteText("XINFO", "STREAM", "s", "FULL"));
        Assert.Equal("$1\r\nv\r\n", client.ExecuteText("GET", "k"));
    }

    [Fact]
    public void DEBUG_RELOAD_keeps_the_nodes_of_lists()
    {
        using var server = TestServer.Start(options =>
        {
            options.Dir = _folder;
            options.EnableDebugCommand = CommandAccess.Yes;
        });
        using RespExchange client = server.Connect();
        for (int i = 0; i < 12; i++)
            client.ExecuteText("RPUSH", "l", new string((char)('a' + i), 1300));
        client.ExecuteText("LTRIM", "l", "5", "6");
        client.ExecuteText("LPUSH", "l", new string('x', 9000));
        client.ExecuteText("RPUSH", "full", new string('x', 8170), "1234");
        Assert.Contains(" ql_nodes:3 ql_avg_node:1.00 ", client.ExecuteText("DEBUG", "OBJECT", "l", "fast"), StringComparison.Ordinal);
        Assert.Equal("$8\r\nlistpack\r\n", client.ExecuteText("OBJECT", "ENCODING", "full"));
        string before = client.ExecuteText("LRANGE", "l", "0", "-1");
        Assert.Equal("+OK\r\n", client.ExecuteText("DEBUG", "RELOAD"));
        Assert.Equal(before, client.ExecuteText("LRANGE", "l", "0", "-1"));
        Assert.Contains(" ql_nodes:3 ql_avg_node:1.00 ", client.ExecuteText("DEBUG", "OBJECT", "l", "fast"), StringComparison.Ordinal);
        Assert.Equal("$8\r\nlistpack\r\n", client.ExecuteText("OBJECT", "ENCODING", "full"));
    }

    [Fact]
    public void DEBUG_RELOAD_restores_the_data_and_NOSAVE_drops_unsaved_changes()
    {
        using var server = TestServer.Start(options =>
        {
            options.Dir = _folder;
            options.EnableDebugCommand = CommandAccess.Yes;
        });
        using RespExchange client = server.Connect();
        for (int i = 0; i < 500; i++)
            client.ExecuteText("SET", "key:" + i, "value");
        Assert.Equal("+OK\r\n", client.ExecuteText("DEBUG", "RELOAD"));
        Assert.Equal(":500\r\n", client.ExecuteText("DBSIZE"));
        client.ExecuteText("SET", "new", "key");
        Assert.Equal("+OK\r\n", client.ExecuteText("DEBUG", "RELOAD", "NOSAVE"));
        Assert.Equal(":500\r\n", client.ExecuteText("DBSIZE"));
        Assert.Equal("-ERR DEBUG RELOAD only supports the MERGE and NOSAVE options.\r\n", client.ExecuteText("DEBUG", "RELOAD", "FAST"));
    }

    [Theory]
    [InlineData("allkeys-lru", "IDLETIME", "2000", false)]
    [InlineData("volatile-lru", "IDLETIME", "2000", true)]
    [InlineData("allkeys-lrfu", "IDLETIME", "2000", false)]
    [InlineData("allkeys-lfu", "FREQ", "200", false)]
    [InlineData("volatile-lfu", "FREQ", "200", true)]
    public void Access_statistics_survive_a_restart(string policy, string option, string value, bool isLogged)
    {
        byte[][] keys = [.. new[] { "text", "number", "list", "stream", "large" }.Select(Bytes)];
        void Configure(GarnetOptions options) => (options.Dir, options.AppendOnly) = (_folder, isLogged);
        using (var server = TestServer.Start(Configure))
        {
            using RespExchange client = server.Connect();
            client.ExecuteText("CONFIG", "SET", "maxmemory-policy", policy);
            client.ExecuteText("SET", "text", "value");
            client.ExecuteText("SET", "number", "12345");
            client.ExecuteText("RPUSH", "list", "a", "b");
            client.ExecuteText("XADD", "stream", "1-1", "f", "v");
            client.ExecuteText("SETRANGE", "large", "100000", "x");
            foreach (byte[] key in keys)
            {
                byte[] reply = client.Execute(["DUMP"u8.ToArray(), key])!;
                byte[] payload = reply[(Array.IndexOf(reply, (byte)'\n') + 1)..^2];
                client.Execute(["RESTORE"u8.ToArray(), key, "0"u8.ToArray(), payload, "REPLACE"u8.ToArray(), Bytes(option), Bytes(value)]);
            }

            Assert.Equal(
                isLogged ? "+Background append only file rewriting started\r\n" : "+OK\r\n",
                client.ExecuteText(isLogged ? "BGREWRITEAOF" : "SAVE")
            );
            while (client.ExecuteText("INFO", "persistence").Contains("aof_rewrite_in_progress:1", StringComparison.Ordinal))
                Thread.Sleep(1);
        }

        using var again = TestServer.Start(options =>
        {
            Configure(options);
            options.MaxMemoryPolicy = Enum.Parse<EvictionPolicy>(policy.Replace("-", "", StringComparison.Ordinal), ignoreCase: true);
        });
        using RespExchange reader = again.Connect();
        foreach (byte[] key in keys)
        {
            string seen = reader.ExecuteText("OBJECT", option, System.Text.Encoding.ASCII.GetString(key));
            Assert.InRange(
                int.Parse(seen[1..^2], System.Globalization.CultureInfo.InvariantCulture),
                option == "FREQ" ? 198 : 2000,
                option == "FREQ" ? 200 : 2200
            );
        }
    }

    [Theory]
    [InlineData(true, false, "SAVE")]
    [InlineData(false, true, "NOSAVE")]
    [InlineData(true, true)]
    [InlineData(false, false)]
    public void SHUTDOWN_saves_on_request_or_with_a_schedule(bool isSaved, bool hasSchedule, params string[] options)
    {
        using var process = GarnetProcess.Start(hasSchedule ? ["--save", "3600", "1000000"] : []);
        string file = Path.Combine(process.Folder, "dump.rdb");
        using (RespExchange client = process.Connect())
        {
            client.ExecuteText("SET", "a", "b");
            Assert.Null(client.Execute(["SHUTDOWN", .. options]));
        }

        Assert.Equal(0, process.WaitForExit(Patience));
        Assert.Equal(isSaved, File.Exists(file));
    }

    [Theory]
    [InlineData("default", true)]
    [InlineData("nosave now", false)]
    public void SIGTERM_saves_with_a_schedule_unless_configured_otherwise(string how, bool isSaved)
    {
        using var process = GarnetProcess.Start("--save", "3600", "1000000", "--shutdown-on-sigterm", how);
        using (RespExchange client = process.Connect())
            client.ExecuteText("SET", "a", "b");
        process.Signal("TERM");
        Assert.Equal(0, process.WaitForExit(Patience));
        Assert.Equal(isSaved, File.Exists(Path.Combine(process.Folder, "dump.rdb")));
    }

    [Fact]
    public void A_server_that_cannot_save_at_shutdown_continues_unless_forced()
    {
        string folder = Path.Combine(_folder, "gone");
        Directory.CreateDirectory(folder);
        using var process = GarnetProcess.Start(
            "--save",
            "3600",
            "1000000",
            "--stop-writes-on-bgsave-error",
            "no",
            "--dbfilename",
            "x.rdb"
        );
        string obstacle = Path.Combine(process.Folder, "x.rdb");
        Directory.CreateDirectory(obstacle);
        using RespExchange client = process.Connect();
        client.ExecuteText("SET", "a", "b");
        Assert.Equal("-ERR Errors trying to SHUTDOWN. Check logs.\r\n", client.ExecuteText("SHUTDOWN"));
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "a", "c"));
        Assert.Null(client.Execute("SHUTDOWN", "FORCE"));
        Assert.Equal(0, process.WaitForExit(Patience));
    }

    private static byte[] Bytes(string text) => System.Text.Encoding.ASCII.GetBytes(text);

    private TestServer Start() => TestServer.Start(options => options.Dir = _folder);

    private async Task<byte[]> SaveSomeAsync()
    {
        using (TestServer server = Start())
        {
            using RespExchange client = server.Connect();
            for (int i = 0; i < 3000; i++)
                client.ExecuteText("SET", "key:" + i, new string('v', 400));
            client.ExecuteText("SAVE");
        }

        return await File.ReadAllBytesAsync(Snapshot);
    }

    private static async Task<RespExchange> ConnectAsync(GarnetServer server)
    {
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                return RespExchange.Connect(server.EndPoints[0]);
            }
            catch (SocketException) when (Stopwatch.GetElapsedTime(start) < Patience)
            {
                await Task.Delay(10);
            }
        }
    }
}
