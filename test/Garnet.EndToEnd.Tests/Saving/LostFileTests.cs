// Starts with files of the log missing, emptied, truncated or replaced: each is refused with the file's name, nothing is changed, and
// --check reports the same. Each test has its own folder.
using System.Globalization;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Saving;

public sealed class LostFileTests : IDisposable
{
    private const int Writes = 600;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-lost-").FullName;

    private string LogFolder => Path.Combine(_folder, "appendonlydir");

    private string OnlyLog => Path.Combine(LogFolder, "appendonly.aof.000001.log.000000");

    private string Manifest => Path.Combine(LogFolder, "appendonly.aof.garnet.manifest");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("deleted", "is missing")]
    [InlineData("emptied", "its first frame is missing or damaged")]
    [InlineData("cut to 100 bytes", "its first frame is missing or damaged")]
    [InlineData("zeroed up to byte 81,000", "its first frame is missing or damaged")]
    [InlineData("a folder", "is not a regular file")]
    [InlineData("a pipe", "is not a regular file")]
    [InlineData("a device", "is not a regular file")]
    [InlineData("a loop of links", "symbolic links")]
    [InlineData("3 GiB long", "more than any file of the log")]
    [InlineData("of another log", "another log")]
    public void The_loss_of_the_only_log_file_is_detected(string what, string problem)
    {
        Write(end: "KILL");
        Spoil(OnlyLog, what);
        AssertRefused(OnlyLog, problem);
    }

    [Theory]
    [InlineData("deleted")]
    [InlineData("emptied")]
    public void The_loss_of_all_log_files_but_the_manifest_is_detected(string what)
    {
        Write(end: "KILL");
        foreach (string file in Directory.GetFiles(LogFolder, "*.log.*"))
            Spoil(file, what);
        AssertRefused(OnlyLog, "missing");
    }

    [Fact]
    public void The_loss_of_the_end_of_a_closed_log_is_detected()
    {
        Write(end: "TERM");
        using (FileStream file = new(OnlyLog, FileMode.Open))
            file.SetLength(file.Length / 2 / 512 * 512);
        AssertRefused(OnlyLog, "but the disk had it up to");
    }

    [Fact]
    public void The_loss_of_the_logs_snapshot_is_detected()
    {
        Write(end: "KILL", rewrites: true);
        string file = Path.Combine(LogFolder, "appendonly.aof.000002.base.rdb");
        Spoil(file, "deleted");
        AssertRefused(file, "is missing");
    }

    [Fact]
    public void A_log_snapshot_that_is_not_a_file_is_named()
    {
        Write(end: "KILL", rewrites: true);
        string file = Path.Combine(LogFolder, "appendonly.aof.000002.base.rdb");
        Spoil(file, "a pipe");
        AssertRefused(file, "is not a regular file");
    }

    [Theory]
    [InlineData("a folder", "is not a regular file")]
    [InlineData("a loop of links", "symbolic links")]
    public void A_snapshot_that_is_not_a_file_is_named(string what, string problem)
    {
        string file = Path.Combine(_folder, "dump.rdb");
        Spoil(file, what);
        AssertRefused(file, problem, "no");
        AssertRefused(file, problem, "yes");
    }

    [Fact]
    public void A_damaged_manifest_is_named_and_without_one_the_files_are_read_as_before()
    {
        Write(end: "KILL");
        byte[] bytes = File.ReadAllBytes(Manifest);
        for (int i = 0; i < bytes.Length; i += 7)
        {
            byte[] damaged = [.. bytes];
            damaged[i] ^= 1;
            Assert.Null(Garnet.Persistence.AppendLog.LogManifest.Parse(damaged));
        }

        bytes[20] ^= 1;
        File.WriteAllBytes(Manifest, bytes);
        AssertRefused(Manifest, "the manifest is damaged");
        File.Delete(Manifest);
        using var server = GarnetProcess.StartIn(_folder, "--appendonly", "yes");
        FaultTarget.Await(
            () => server.Output.Contains("has no appendonly.aof.garnet.manifest", StringComparison.Ordinal),
            () => server.Output
        );
        AssertAll(server);
        Assert.True(File.Exists(Manifest));
    }

    [Fact]
    public void A_missing_folder_is_a_first_start()
    {
        Write(end: "KILL");
        Directory.Delete(LogFolder, recursive: true);
        using var server = GarnetProcess.StartIn(_folder, "--appendonly", "yes");
        using RespExchange client = server.Connect();
        Assert.Equal(":0\r\n", client.ExecuteText("DBSIZE"));
    }

    private void Write(string end, bool rewrites = false)
    {
        using var server = GarnetProcess.StartIn(_folder, "--appendonly", "yes", "--appendfsync", "always");
        using (RespExchange client = server.Connect())
        {
            for (int i = 0; i < Writes; i++)
                Assert.Equal("+OK\r\n", client.ExecuteText("SET", $"key:{i}", $"value {i} {new string('v', 100)}"));
            if (rewrites)
            {
                client.ExecuteText("BGREWRITEAOF");
                FaultTarget.Await(
                    () => client.ExecuteText("INFO", "persistence").Contains("aof_rewrites:1\r\n", StringComparison.Ordinal),
                    () => server.Output
                );
            }
        }

        server.Signal(end);
        server.WaitForExit(Patience);
    }

    private static void AssertAll(GarnetProcess server)
    {
        using RespExchange client = server.Connect();
        Assert.Equal(string.Create(CultureInfo.InvariantCulture, $":{Writes}\r\n"), client.ExecuteText("DBSIZE"));
    }

    private static void Spoil(string file, string what)
    {
        byte[] bytes = File.Exists(file) ? File.ReadAllBytes(file) : [];
        File.Delete(file);
        switch (what)
        {
            case "emptied":
                File.WriteAllBytes(file, []);
                break;
            case "cut to 100 bytes":
                File.WriteAllBytes(file, bytes[..100]);
                break;
            case "zeroed up to byte 81,000":
                bytes.AsSpan(0, 81_000).Clear();
                File.WriteAllBytes(file, bytes);
                break;
            case "a folder":
                Directory.CreateDirectory(file);
                break;
            case "a pipe":
                Assert.Equal(0, ClientProcess.Run("mkfifo", [file]).ExitCode);
                break;
            case "a device":
                File.CreateSymbolicLink(file, "/dev/zero");
                break;
            case "a loop of links":
                File.CreateSymbolicLink(file, file);
                break;
            case "3 GiB long":
                using (FileStream sparse = File.Create(file))
                    sparse.SetLength(3L << 30);
                break;
            case "of another log":
                ReplaceByOther(file);
                break;
        }
    }

    private static void ReplaceByOther(string file)
    {
        string folder = Directory.CreateTempSubdirectory("garnet-other-").FullName;
        using (var other = GarnetProcess.StartIn(folder, "--appendonly", "yes"))
        {
            other.Signal("TERM");
            other.WaitForExit(Patience);
        }

        File.Copy(Path.Combine(folder, "appendonlydir", Path.GetFileName(file)), file);
        Directory.Delete(folder, recursive: true);
    }

    private void AssertRefused(string file, string problem, string appendOnly = "yes")
    {
        string[] before = Files();
        ClientProcess start = GarnetProcess.Run(
            "--appendonly",
            appendOnly,
            "--dir",
            _folder,
            "--port",
            "0",
            "--unixsocket",
            Path.Combine(_folder, "s")
        );
        Assert.Equal(1, start.ExitCode);
        Assert.Contains(file, start.Output, StringComparison.Ordinal);
        Assert.Contains(problem, start.Output, StringComparison.Ordinal);
        ClientProcess check = GarnetProcess.Run("--check", "--dir", _folder);
        Assert.Equal(1, check.ExitCode);
        Assert.Contains(file, check.Output, StringComparison.Ordinal);
        Assert.Contains(problem, check.Output, StringComparison.Ordinal);
        if (file != Path.Combine(_folder, "dump.rdb"))
            Assert.Equal(before, Files());
    }

    // Except for the lock and the socket of a killed server.
    private string[] Files() =>
        [
            .. Directory
                .EnumerateFileSystemEntries(_folder, "*", SearchOption.AllDirectories)
                .Where(static path => !path.EndsWith(".lock", StringComparison.Ordinal) && Path.GetFileName(path) != "s")
                .Order(),
        ];
}
