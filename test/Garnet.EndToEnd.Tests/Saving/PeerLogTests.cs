// Append-only files of real servers: Redis 7 and Valkey write them and are killed, and we start in their folder with equal data. Each test
// has its own folder.
using System.Text;
using Garnet.EndToEnd.Tests.Interop;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Saving;

public sealed class PeerLogTests(ITestOutputHelper output) : IDisposable
{
    private const string Redis = "redis-server";
    private const string Valkey = "valkey-server";
    private static readonly string[] Logged = ["--appendonly", "yes", "--appendfsync", "always", "--enable-debug-command", "yes"];
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-aof-").FullName;

    private string LogFolder => Path.Combine(_folder, "appendonlydir");

    private string TheirManifest => Path.Combine(LogFolder, "appendonly.aof.manifest");

    private string Incremental => Directory.GetFiles(LogFolder, "appendonly.aof.*.incr.aof").Order(StringComparer.Ordinal).Last();

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [PeerFact(Redis)]
    public void The_log_of_Redis_with_an_RDB_base_is_taken_over() => TakeOver(Redis, "yes");

    [PeerFact(Redis)]
    public void The_log_of_Redis_with_a_base_of_commands_is_taken_over() => TakeOver(Redis, "no");

    [PeerFact(Valkey, Optional = true)]
    public void The_log_of_Valkey_with_an_RDB_base_is_taken_over() => TakeOver(Valkey, "yes");

    [PeerFact(Valkey, Optional = true)]
    public void The_log_of_Valkey_with_a_base_of_commands_is_taken_over() => TakeOver(Valkey, "no");

    [PeerFact(Redis)]
    public void A_truncated_end_is_dropped_or_rejected_as_configured()
    {
        WriteSome(Redis);
        byte[] bytes = File.ReadAllBytes(Incremental);
        string text = Encoding.Latin1.GetString(bytes);
        int lastSet = text.LastIndexOf("*3\r\n$3\r\nSET\r\n$4\r\nlast", StringComparison.Ordinal);
        int multi = text.LastIndexOf("*1\r\n$5\r\nMULTI", StringComparison.Ordinal);
        Assert.True(multi > 0 && lastSet > multi);
        foreach (
            (int cut, string keys) in new[]
            {
                (bytes.Length - 1, ":3\r\n"),
                (lastSet + 1, ":3\r\n"),
                (lastSet, ":3\r\n"),
                (lastSet - 1, ":1\r\n"),
                (multi + 30, ":1\r\n"),
                (multi, ":1\r\n"),
            }
        )
        {
            string folder = Copy();
            File.WriteAllBytes(Path.Combine(folder, "appendonlydir", Path.GetFileName(Incremental)), bytes[..cut]);
            bool isWhole = cut == lastSet || cut == multi;
            if (!isWhole)
            {
                ClientProcess refused = Run(folder, "--aof-load-truncated", "no");
                Assert.Equal(1, refused.ExitCode);
                Assert.Contains(
                    $"{Path.GetFileName(Incremental)}, byte {(keys == ":1\r\n" ? multi : lastSet)}: the file ends inside",
                    refused.Output,
                    StringComparison.Ordinal
                );
            }

            using (var server = GarnetProcess.StartIn(folder, Logged))
            {
                using RespExchange client = server.Connect();
                Assert.Equal(keys, client.ExecuteText("DBSIZE"));
                FaultTarget.Await(() => server.Output.Contains("Ready to accept", StringComparison.Ordinal), () => server.Output);
                Assert.Equal(!isWhole, server.Output.Contains("The end of the append-only log is lost", StringComparison.Ordinal));
            }

            Directory.Delete(folder, recursive: true);
        }
    }

    [PeerFact(Redis)]
    public void Unloadable_content_is_rejected_with_its_offset_and_nothing_changes()
    {
        WriteSome(Redis);
        byte[] bytes = File.ReadAllBytes(Incremental);
        (string Added, string Problem)[] cases =
        [
            ("*2\r\n$8\r\nNOTKNOWN\r\n$1\r\na\r\n", "unknown command 'NOTKNOWN'"),
            ("*1\r\n$3\r\nSET\r\n", "wrong number of arguments"),
            ("SET a b\r\n", "this is not a request"),
            ("*2\r\n+OK\r\n", "this is not a request"),
            ("*2\r\n$4\r\nINCR\r\n$x\r\n", "a number is expected"),
            ("*2\r\n$6\r\nSELECT\r\n$2\r\n99\r\n", "only 16 databases are configured"),
        ];
        foreach ((string added, string problem) in cases)
        {
            File.WriteAllBytes(
                Incremental,
                [.. bytes, .. Encoding.Latin1.GetBytes("#TS:1700000000\r\n" + added + "*3\r\n$3\r\nSET\r\n$1\r\nz\r\n$1\r\n1\r\n")]
            );
            ClientProcess refused = Run(_folder);
            Assert.Equal(1, refused.ExitCode);
            Assert.Contains($"{Path.GetFileName(Incremental)}, byte {bytes.Length + 16}: ", refused.Output, StringComparison.Ordinal);
            Assert.Contains(problem, refused.Output, StringComparison.Ordinal);
            ClientProcess check = GarnetProcess.Run("--check", "--dir", _folder);
            if (problem != "only 16 databases are configured")
                Assert.Equal(1, check.ExitCode);
            Assert.True(File.Exists(TheirManifest));
        }

        File.WriteAllBytes(Incremental, bytes);
        Assert.Equal(0, GarnetProcess.Run("--check", "--dir", _folder).ExitCode);
        string lost = Incremental;
        File.Delete(lost);
        Assert.Contains($"{lost}, byte 0: the file is missing", Run(_folder).Output, StringComparison.Ordinal);
        File.WriteAllText(TheirManifest, "file nonsense\n");
        Assert.Contains("the line is not a valid manifest line", Run(_folder).Output, StringComparison.Ordinal);
    }

    [PeerFact(Redis)]
    public void Imported_files_are_loaded_once_even_if_moving_them_was_interrupted()
    {
        WriteSome(Redis);
        string former = Copy();
        Kill(GarnetProcess.StartIn(_folder, Logged), "INCR", "counter");
        string aside = Path.Combine(LogFolder, "taken-over");
        Assert.False(File.Exists(TheirManifest));
        Assert.True(File.Exists(Path.Combine(aside, "appendonly.aof.manifest")));
        // As if it had been killed when the first file was moved.
        string ownManifest = Path.Combine(LogFolder, "appendonly.aof.garnet.manifest");
        File.Move(Path.Combine(aside, "appendonly.aof.manifest"), TheirManifest);
        Garnet.Persistence.AppendLog.LogManifest parsed = Garnet.Persistence.AppendLog.LogManifest.Parse(File.ReadAllBytes(ownManifest))!;
        string identity =
            "manifest "
            + Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(TheirManifest)).AsSpan(0, 8));
        File.WriteAllBytes(ownManifest, (parsed with { ImportedFrom = identity }).Format());
        Kill(GarnetProcess.StartIn(_folder, Logged), "INCR", "counter");
        Assert.False(File.Exists(TheirManifest));
        // Other files in their place are not ignored.
        File.WriteAllText(
            TheirManifest,
            File.ReadAllText(Path.Combine(former, "appendonlydir", "appendonly.aof.manifest")) + "# changed\n"
        );
        ClientProcess refused = Run(_folder);
        Assert.Equal(1, refused.ExitCode);
        Assert.Contains("as well as this server's own log", refused.Output, StringComparison.Ordinal);
        File.Delete(TheirManifest);
        using var last = GarnetProcess.StartIn(_folder, Logged);
        using RespExchange client = last.Connect();
        Assert.Equal("$1\r\n3\r\n", client.ExecuteText("GET", "counter"));
        Directory.Delete(former, recursive: true);
    }

    [PeerFact(Redis)]
    public void Turning_the_log_on_at_run_time_replaces_their_files()
    {
        WriteSome(Redis);
        using (var server = GarnetProcess.StartIn(_folder))
        {
            FaultTarget.Await(() => server.Output.Contains("are not loaded", StringComparison.Ordinal), () => server.Output);
            using RespExchange client = server.Connect();
            Assert.Equal(":0\r\n", client.ExecuteText("DBSIZE"));
            client.ExecuteText("SET", "own", "1");
            Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "appendonly", "yes"));
            FaultTarget.Await(
                () => client.ExecuteText("INFO", "persistence").Contains("aof_rewrites:1\r\n", StringComparison.Ordinal),
                () => server.Output
            );
            server.Kill();
        }

        using var again = GarnetProcess.StartIn(_folder, Logged);
        using RespExchange reader = again.Connect();
        Assert.Equal("*1\r\n$3\r\nown\r\n", reader.ExecuteText("KEYS", "*"));
    }

    [Theory]
    [InlineData("redis-6-plain")]
    [InlineData("redis-6-preamble")]
    public void The_single_file_of_Redis_6_is_taken_over(string name)
    {
        File.Copy(
            RepositoryRoot.Combine("test", "Garnet.EndToEnd.Tests", "Saving", "PeerFiles", name + ".aof.bin"),
            Path.Combine(_folder, "appendonly.aof")
        );
        Assert.Equal(0, GarnetProcess.Run("--check", "--dir", _folder).ExitCode);
        for (int time = 0; time < 2; time++)
        {
            using var server = GarnetProcess.StartIn(_folder, Logged);
            using RespExchange client = server.Connect();
            Assert.Equal(":5\r\n", client.ExecuteText("DBSIZE"));
            Assert.Equal("$5\r\nhello\r\n", client.ExecuteText("GET", "greeting"));
            Assert.Equal("$2\r\n42\r\n", client.ExecuteText("GET", "counter"));
            Assert.Equal("*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n", client.ExecuteText("LRANGE", "list", "0", "-1"));
            Assert.Equal(":4102444800123\r\n", client.ExecuteText("PEXPIRETIME", "expiring"));
            Assert.Equal("$3\r\none\r\n", client.ExecuteText("HGET", "hash", "field"));
            client.ExecuteText("SELECT", "9");
            Assert.Equal("$4\r\nnine\r\n", client.ExecuteText("GET", "elsewhere"));
            Assert.False(File.Exists(Path.Combine(_folder, "appendonly.aof")));
        }
    }

    // Data of all types before and after a rewrite; killed before the log is closed. Equal digests over all databases mean equal keys,
    // values and expiries.
    private void TakeOver(string peer, string preamble)
    {
        int seed = TestSeed.Choose(output, 11);
        string digest;
        using (
            var source = PeerServer.Start(
                peer,
                [.. Logged, "--dir", _folder, "--aof-use-rdb-preamble", preamble, "--aof-timestamp-enabled", "yes"]
            )
        )
        {
            using var theirs = RespExchange.Connect(source.EndPoint);
            new PeerData(new Random(seed), theirs).Fill(150);
            theirs.ExecuteText("BGREWRITEAOF");
            FaultTarget.Await(
                () => theirs.ExecuteText("INFO", "persistence").Contains("aof_rewrite_in_progress:0", StringComparison.Ordinal),
                () => theirs.ExecuteText("INFO", "persistence")
            );
            theirs.ExecuteText("SELECT", "7");
            new PeerData(new Random(seed + 1), theirs).Fill(150);
            foreach (
                string[] command in new string[][]
                {
                    ["MULTI"],
                    ["SET", "in", "transaction"],
                    ["SELECT", "3"],
                    ["INCR", "n"],
                    ["EXEC"],
                    ["RENAME", "n", "m"],
                    ["APPEND", "m", "x"],
                    ["SPOP", "nothing"],
                }
            )
            {
                theirs.ExecuteText(command);
            }

            if (peer == Valkey)
                theirs.ExecuteText("HSETEX", "fields", "PXAT", "4102444800123", "FIELDS", "1", "f", "v");
            theirs.ExecuteText("SET", "volatile", "v", "PX", "1");
            digest = theirs.ExecuteText("DEBUG", "DIGEST");
            FaultTarget.Await(
                () =>
                    (digest = theirs.ExecuteText("DEBUG", "DIGEST")) == theirs.ExecuteText("DEBUG", "DIGEST")
                    && theirs.ExecuteText("EXISTS", "volatile") == ":0\r\n",
                static () => ""
            );
            digest = theirs.ExecuteText("DEBUG", "DIGEST");
        }

        Assert.Equal(0, GarnetProcess.Run("--check", "--dir", _folder).ExitCode);
        for (int time = 0; time < 2; time++)
        {
            using var server = GarnetProcess.StartIn(_folder, Logged);
            using RespExchange ours = server.Connect();
            Assert.Equal("+OK\r\n", ours.ExecuteText("SAVE"));
            server.Kill();
            using var judge = PeerServer.Start(peer, "--dir", _folder, "--enable-debug-command", "yes");
            using var loaded = RespExchange.Connect(judge.EndPoint);
            Assert.Equal(digest, loaded.ExecuteText("DEBUG", "DIGEST"));
        }
    }

    // One key, a transaction of two, and one more.
    private void WriteSome(string peer)
    {
        using var source = PeerServer.Start(peer, [.. Logged, "--dir", _folder]);
        using var theirs = RespExchange.Connect(source.EndPoint);
        foreach (
            string[] command in new string[][]
            {
                ["SET", "counter", "1"],
                ["MULTI"],
                ["SET", "a", "1"],
                ["SET", "b", "2"],
                ["EXEC"],
                ["SET", "last", "3"],
            }
        )
        {
            theirs.ExecuteText(command);
        }
    }

    private string Copy()
    {
        string copy = Directory.CreateTempSubdirectory("garnet-aof-copy-").FullName;
        Directory.CreateDirectory(Path.Combine(copy, "appendonlydir"));
        foreach (string file in Directory.GetFiles(LogFolder))
            File.Copy(file, Path.Combine(copy, "appendonlydir", Path.GetFileName(file)));
        return copy;
    }

    private static ClientProcess Run(string folder, params string[] arguments) =>
        GarnetProcess.Run(["--appendonly", "yes", "--dir", folder, "--port", "0", "--unixsocket", Path.Combine(folder, "s"), .. arguments]);

    private static void Kill(GarnetProcess server, params string[] command)
    {
        using (server)
        {
            using RespExchange client = server.Connect();
            client.ExecuteText(command);
            server.Kill();
        }
    }
}
