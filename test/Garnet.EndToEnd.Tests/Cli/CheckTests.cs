// garnet --check on intact, truncated and damaged files. Each test has its own folder.
using System.Buffers;
using System.Text;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Effects;
using Garnet.Persistence.Rdb;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class CheckTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-check-").FullName;

    private string Log => Path.Combine(_folder, "appendonlydir", "appendonly.aof.000002.log.000000");

    [Fact]
    public void Intact_files_are_reported_as_intact()
    {
        WriteData();
        ClientProcess check = GarnetProcess.Run("--check", "--dir", _folder);
        Assert.Equal(0, check.ExitCode);
        Assert.Contains("appendonly.aof.000002.base.rdb: good, 1 keys", check.Output, StringComparison.Ordinal);
        Assert.Contains("dump.rdb: good, 2 keys", check.Output, StringComparison.Ordinal);
        Assert.Contains("in 1 generation(s)", check.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Damage_is_reported_with_its_offset_and_nothing_changes()
    {
        WriteData();
        byte[] bytes = File.ReadAllBytes(Log);
        bytes[130] ^= 4;
        File.WriteAllBytes(Log, bytes);
        ClientProcess check = GarnetProcess.Run("--check", "--dir", _folder);
        Assert.Equal(1, check.ExitCode);
        Assert.Contains(Log + ", byte ", check.Output, StringComparison.Ordinal);
        Assert.Equal(bytes, File.ReadAllBytes(Log));
        ClientProcess start = GarnetProcess.Run(
            "--appendonly",
            "yes",
            "--dir",
            _folder,
            "--port",
            "0",
            "--unixsocket",
            Path.Combine(_folder, "s")
        );
        Assert.Equal(1, start.ExitCode);
        Assert.Contains(Log + ", byte ", start.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_lost_end_is_reported()
    {
        WriteData();
        using (FileStream file = new(Log, FileMode.Open))
            file.SetLength(file.Length - 70);
        ClientProcess check = GarnetProcess.Run("--check", "--dir", _folder);
        Assert.Equal(1, check.ExitCode);
        Assert.Contains("but the disk had it up to", check.Output, StringComparison.Ordinal);
    }

    // A wrong path must not look like good data.
    [Fact]
    public void A_folder_without_data_is_not_reported_as_intact()
    {
        ClientProcess check = GarnetProcess.Run("--check", "--dir", _folder);
        Assert.Equal(1, check.ExitCode);
        Assert.Contains(
            $"{_folder}: there is no dump.rdb and no appendonlydir, so there is nothing to check",
            check.Output,
            StringComparison.Ordinal
        );
        Directory.CreateDirectory(Path.Combine(_folder, "appendonlydir"));
        check = GarnetProcess.Run("--check", "--dir", _folder);
        Assert.Equal(1, check.ExitCode);
        Assert.Contains("there is no log", check.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("#!lua name=app\n server.register_function('f', function() return 1 end)", null)]
    [InlineData(
        "#!lua name=app\n\n server.register_function('f', function() return 1 + end)",
        "user_function:3: unexpected symbol near 'end'"
    )]
    [InlineData("#!wasm name=app\n", "Engine 'wasm' not found")]
    public void Libraries_of_functions_are_compiled(string library, string? problem)
    {
        var bytes = new ArrayBufferWriter<byte>();
        var writer = new RdbWriter(bytes, new RdbWriterOptions());
        writer.WriteHeader();
        writer.WriteFunctions(Encoding.ASCII.GetBytes(library));
        writer.WriteEnd();
        // A checksum of 0 is not compared.
        bytes.Write(new byte[8]);
        File.WriteAllBytes(Path.Combine(_folder, "dump.rdb"), bytes.WrittenSpan);
        ClientProcess check = GarnetProcess.Run("--check", "--dir", _folder);
        Assert.Equal(problem is null ? 0 : 1, check.ExitCode);
        Assert.Contains(problem ?? "dump.rdb: good, 0 keys", check.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("LOAD", "#!lua name=app\n server.register_function('f', function() return 1 end)", null)]
    [InlineData(
        "load",
        "#!lua name=app\n\n server.register_function('f', function() return 1 + end)",
        "user_function:3: unexpected symbol"
    )]
    [InlineData("RESTORE", "#!lua name=app\n server.register_function('f', function() return 1 end)", null)]
    [InlineData("RESTORE", "#!lua name=app\n x = = 1", "user_function:2: unexpected symbol near '='")]
    public void Libraries_of_functions_in_a_log_are_compiled(string subcommand, string library, string? problem)
    {
        byte[] argument = Encoding.ASCII.GetBytes(library);
        if (subcommand == "RESTORE")
            argument = PayloadOf(argument);
        byte[] effect = RespExchange.Encode(["FUNCTION"u8.ToArray(), Encoding.ASCII.GetBytes(subcommand), argument]);
        string folder = Path.Combine(_folder, "appendonlydir");
        Directory.CreateDirectory(folder);
        AppendOnlyLogOptions options = new() { Fsync = AppendFsync.Always };
        using (AppendOnlyLog log = new(new LogFolder(folder), LogStart.Fresh(1, needsBase: false), new EffectStream(), options))
        {
            log.Start();
            log.Attach();
            log.Stream.Append(database: 0, effect);
        }

        ClientProcess check = GarnetProcess.Run("--check", "--dir", _folder);
        Assert.Contains(problem ?? "2 effects", check.Output, StringComparison.Ordinal);
        Assert.Equal(problem is null ? 0 : 1, check.ExitCode);
        // The same in a file of Redis or Valkey.
        Directory.Delete(folder, recursive: true);
        File.WriteAllBytes(Path.Combine(_folder, "appendonly.aof"), effect);
        check = GarnetProcess.Run("--check", "--dir", _folder);
        Assert.Contains(problem ?? "1 commands", check.Output, StringComparison.Ordinal);
        Assert.Equal(problem is null ? 0 : 1, check.ExitCode);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static byte[] PayloadOf(byte[] library)
    {
        const int FunctionOpcode = 245;
        var bytes = new ArrayBufferWriter<byte>();
        var writer = new RdbWriter(bytes, new RdbWriterOptions());
        writer.WriteRaw([FunctionOpcode]);
        writer.WriteString(library);
        byte[] payload = [.. bytes.WrittenSpan, 10, 0];
        return [.. payload, .. BitConverter.GetBytes(Crc64.Append(0, payload))];
    }

    private void WriteData()
    {
        using var server = GarnetProcess.StartIn(_folder, "--appendonly", "yes", "--appendfsync", "always");
        using (RespExchange client = server.Connect())
        {
            client.ExecuteText("SET", "a", "1");
            client.ExecuteText("BGREWRITEAOF");
            Assert.True(
                SpinWait.SpinUntil(
                    () => client.ExecuteText("INFO", "persistence").Contains("aof_rewrites:1", StringComparison.Ordinal),
                    TimeSpan.FromSeconds(30)
                )
            );
            client.ExecuteText("SET", "b", "2");
            client.ExecuteText("SET", "b", "3");
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        }

        server.Signal("TERM");
        server.WaitForExit(TimeSpan.FromSeconds(30));
    }
}
