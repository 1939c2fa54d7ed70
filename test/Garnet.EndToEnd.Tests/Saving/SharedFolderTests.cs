// Two servers with one data folder: as processes, and in one process. Each test has its own folder.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Saving;

public sealed class SharedFolderTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-shared-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("--appendonly", "yes", "appendonlydir")]
    [InlineData("--save", "3600 1", "dump.rdb")]
    public void A_second_process_fails_with_the_lock_holder_and_starts_after_a_kill(string option, string value, string data)
    {
        using (var first = GarnetProcess.StartIn(_folder, option, value))
        {
            using RespExchange client = first.Connect();
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", "v"));
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
            ClientProcess second = GarnetProcess.Run(
                option,
                value,
                "--dir",
                _folder,
                "--port",
                "0",
                "--unixsocket",
                Path.Combine(_folder, "t")
            );
            Assert.Equal(1, second.ExitCode);
            Assert.Contains(
                $"{Path.Combine(_folder, data)} is in use by process {first.Id} (unix:{Path.Combine(_folder, "s")})",
                second.Output,
                StringComparison.Ordinal
            );
            Assert.Single(second.Output.TrimEnd().Split('\n'));
            first.Kill();
        }

        using var next = GarnetProcess.StartIn(_folder, option, value);
        using RespExchange reader = next.Connect();
        Assert.Equal("$1\r\nv\r\n", reader.ExecuteText("GET", "k"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Servers_of_one_process_exclude_each_other_until_the_first_is_disposed(bool isLog)
    {
        void Configure(GarnetOptions options)
        {
            options.Dir = _folder;
            options.AppendOnly = isLog;
            options.Save = isLog ? [] : [new SavePoint(3600, 1)];
        }

        using (var first = TestServer.Start(Configure))
        {
            OptionException refusal = Assert.Throws<OptionException>(() => TestServer.Start(Configure));
            Assert.Contains($"is in use by process {Environment.ProcessId} ({first.EndPoint})", refusal.Message, StringComparison.Ordinal);
        }

        TestServer.Start(Configure).Dispose();
        Assert.DoesNotContain(
            Directory.EnumerateFiles(_folder, "*", SearchOption.AllDirectories),
            static file => file.EndsWith(".lock", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Servers_that_save_nothing_or_under_other_names_share_a_folder()
    {
        using TestServer idle = Start();
        using TestServer other = Start();
        using TestServer saving = Start(options => options.Save = [new SavePoint(3600, 1)]);
        using TestServer elsewhere = Start(options =>
        {
            options.Save = [new SavePoint(3600, 1)];
            options.DbFileName = "other.rdb";
        });
        using TestServer logging = Start(options => options.AppendOnly = true);
        using TestServer loggingElsewhere = Start(options =>
        {
            options.AppendOnly = true;
            options.AppendFileName = "other.aof";
        });
        foreach (TestServer server in new[] { idle, other, saving, elsewhere, logging, loggingElsewhere })
        {
            using RespExchange client = server.Connect();
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", "v"));
        }
    }

    [Fact]
    public void A_snapshot_by_command_does_not_overwrite_another_servers_file()
    {
        using TestServer saving = Start(options => options.Save = [new SavePoint(3600, 1)]);
        using TestServer idle = Start();
        using RespExchange client = idle.Connect();
        string inUse = $"-ERR {Path.Combine(_folder, "dump.rdb")} is in use by process ";
        Assert.StartsWith(inUse, client.ExecuteText("SAVE"), StringComparison.Ordinal);
        Assert.StartsWith(inUse, client.ExecuteText("BGSAVE"), StringComparison.Ordinal);
        Assert.StartsWith(inUse, client.ExecuteText("DEBUG", "RELOAD"), StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(_folder, "dump.rdb")));
        using RespExchange owner = saving.Connect();
        Assert.Equal("+OK\r\n", owner.ExecuteText("SAVE"));
        Assert.Equal("+OK\r\n", owner.ExecuteText("CONFIG", "SET", "save", ""));
        Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        Assert.Equal("+OK\r\n", owner.ExecuteText("SAVE"));
    }

    [Fact]
    public void CONFIG_SET_acquires_and_releases_all_locks_or_none()
    {
        string second = Directory.CreateDirectory(Path.Combine(_folder, "second")).FullName;
        using TestServer first = Start(options => options.Save = [new SavePoint(3600, 1)]);
        using TestServer other = Start(options => options.AppendOnly = true);
        using RespExchange one = first.Connect();
        using RespExchange two = other.Connect();
        Assert.StartsWith(
            "-ERR CONFIG SET failed (possibly related to argument 'save') - ",
            two.ExecuteText("CONFIG", "SET", "save", "3600 1"),
            StringComparison.Ordinal
        );
        Assert.Equal("*2\r\n$4\r\nsave\r\n$0\r\n\r\n", two.ExecuteText("CONFIG", "GET", "save"));
        Assert.StartsWith(
            "-ERR CONFIG SET failed (possibly related to argument 'appendonly') - ",
            one.ExecuteText("CONFIG", "SET", "appendonly", "yes"),
            StringComparison.Ordinal
        );
        // Another name is allowed, and is then locked; the change that fails afterwards locks nothing.
        Assert.Equal("+OK\r\n", two.ExecuteText("CONFIG", "SET", "dbfilename", "two.rdb", "save", "3600 1"));
        Assert.StartsWith("-ERR CONFIG SET failed", one.ExecuteText("CONFIG", "SET", "dbfilename", "two.rdb"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", one.ExecuteText("CONFIG", "SET", "dbfilename", "one.rdb"));
        using (TestServer third = Start(options => options.Save = [new SavePoint(3600, 1)]))
        {
            Assert.StartsWith(
                "-ERR CONFIG SET failed",
                one.ExecuteText("CONFIG", "SET", "dbfilename", "dump.rdb"),
                StringComparison.Ordinal
            );
        }

        Assert.Equal("+OK\r\n", one.ExecuteText("CONFIG", "SET", "dir", second, "dbfilename", "dump.rdb"));
        using (TestServer third = Start(options => options.Save = [new SavePoint(3600, 1)]))
        {
            Assert.StartsWith("-ERR CONFIG SET failed", one.ExecuteText("CONFIG", "SET", "dir", _folder), StringComparison.Ordinal);
            Assert.Equal("+OK\r\n", one.ExecuteText("SAVE"));
        }

        Assert.True(File.Exists(Path.Combine(second, "dump.rdb")));
        // Inside a transaction as well.
        Assert.Equal("+OK\r\n", one.ExecuteText("MULTI"));
        Assert.Equal("+QUEUED\r\n", one.ExecuteText("CONFIG", "SET", "save", ""));
        Assert.Equal("*1\r\n+OK\r\n", one.ExecuteText("EXEC"));
    }

    [Fact]
    public void Turning_the_log_off_releases_it_for_another_server()
    {
        using TestServer first = Start(options => options.AppendOnly = true);
        using TestServer other = Start();
        using RespExchange one = first.Connect();
        using RespExchange two = other.Connect();
        Assert.StartsWith("-ERR CONFIG SET failed", two.ExecuteText("CONFIG", "SET", "appendonly", "yes"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", one.ExecuteText("CONFIG", "SET", "appendonly", "no"));
        FaultTarget.Await(
            () => two.ExecuteText("CONFIG", "SET", "appendonly", "yes") == "+OK\r\n",
            static () => "the log was not given back"
        );
        FaultTarget.Await(
            () => two.ExecuteText("INFO", "persistence").Contains("aof_rewrites:1\r\n", StringComparison.Ordinal),
            () => two.ExecuteText("INFO", "persistence")
        );
        Assert.StartsWith("-ERR CONFIG SET failed", one.ExecuteText("CONFIG", "SET", "appendonly", "yes"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_link_in_the_place_of_a_lock_or_of_an_unfinished_snapshot_is_not_followed()
    {
        string victim = Path.Combine(_folder, "victim");
        File.WriteAllText(victim, "precious");
        foreach (
            string name in new[]
            {
                ".garnet-writable",
                "dump.rdb.tmp",
                "dump.rdb.1-1.tmp",
                "appendonlydir/appendonly.aof.garnet.manifest.tmp",
                "appendonlydir/appendonly.aof.000001.log.000000",
                "appendonlydir/appendonly.aof.000001.log.000001",
                "appendonlydir/appendonly.aof.000001.base.rdb.tmp",
            }
        )
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(_folder, name))!);
            File.CreateSymbolicLink(Path.Combine(_folder, name), victim);
        }

        using (var server = GarnetProcess.StartIn(_folder, "--save", "3600 1", "--appendonly", "yes"))
        {
            using RespExchange client = server.Connect();
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", "v"));
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
            client.ExecuteText("BGREWRITEAOF");
            FaultTarget.Await(
                () => client.ExecuteText("INFO", "persistence").Contains("aof_rewrites:1\r\n", StringComparison.Ordinal),
                () => server.Output
            );
            server.Signal("TERM");
            server.WaitForExit(Patience);
        }

        Assert.Equal("precious", File.ReadAllText(victim));
        Assert.Equal(
            [".garnet-writable", "appendonlydir", "dump.rdb", "s", "victim"],
            Directory
                .EnumerateFileSystemEntries(_folder)
                .Select(static path => Path.GetFileName(path))
                .Where(static name => name != "s")
                .Append("s")
                .Order(StringComparer.Ordinal)
        );
        File.CreateSymbolicLink(Path.Combine(_folder, ".dump.rdb.lock"), victim);
        ClientProcess refused = GarnetProcess.Run(
            "--save",
            "3600 1",
            "--dir",
            _folder,
            "--port",
            "0",
            "--unixsocket",
            Path.Combine(_folder, "t")
        );
        Assert.Equal(1, refused.ExitCode);
        Assert.Contains(".dump.rdb.lock", refused.Output, StringComparison.Ordinal);
        Assert.Equal("precious", File.ReadAllText(victim));
    }

    private TestServer Start(Action<GarnetOptions>? configure = null) =>
        TestServer.Start(options =>
        {
            options.Dir = _folder;
            options.EnableProtectedConfigs = CommandAccess.Yes;
            options.EnableDebugCommand = CommandAccess.Yes;
            configure?.Invoke(options);
        });
}
