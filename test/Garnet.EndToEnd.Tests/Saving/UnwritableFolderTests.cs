// A server whose data folder is no longer writable: signals and CONFIG SET. Separate processes.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Saving;

public sealed class UnwritableFolderTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Theory]
    [InlineData("TERM")]
    [InlineData("INT")]
    public void A_signal_is_ignored_if_the_snapshot_cannot_be_written_and_the_next_one_stops_the_server(string signal)
    {
        using GarnetProcess garnet = StartWithoutFolder(out _);
        garnet.Signal(signal);
        Await(garnet, $"SIG{signal} refused");
        Assert.Contains("Saving 1 keys to ", garnet.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("null", garnet.Output, StringComparison.Ordinal);
        using (RespExchange client = garnet.Connect())
            Assert.Equal("$5\r\nvalue\r\n", client.ExecuteText("GET", "key"));

        garnet.Signal(signal);
        Assert.Equal(1, garnet.WaitForExit(Patience));
        Assert.Contains("changes since the last one are lost", garnet.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_second_signal_saves_when_that_is_possible_again()
    {
        using GarnetProcess garnet = StartWithoutFolder(out string folder);
        garnet.Signal("TERM");
        Await(garnet, "SIGTERM refused");
        Directory.CreateDirectory(folder);
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
        Assert.True(File.Exists(Path.Combine(folder, "dump.rdb")));
    }

    [Fact]
    public void A_signal_with_force_stops_the_server_at_once()
    {
        using GarnetProcess garnet = StartWithoutFolder(out _, "--shutdown-on-sigterm", "force");
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
    }

    [Fact]
    public void A_schedule_is_refused_by_config_set_as_by_the_start()
    {
        using GarnetProcess garnet = StartWithoutFolder(out string folder);
        using RespExchange client = garnet.Connect();
        string reply = client.ExecuteText("CONFIG", "SET", "save", "60 1");
        Assert.StartsWith(
            $"-ERR CONFIG SET failed (possibly related to argument 'save') - dir {folder} is not writable (",
            reply,
            StringComparison.Ordinal
        );
        Assert.EndsWith("turn save and appendonly off\r\n", reply, StringComparison.Ordinal);
        Assert.Equal("*2\r\n$4\r\nsave\r\n$6\r\n3600 1\r\n", client.ExecuteText("CONFIG", "GET", "save"));
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "save", ""));

        ClientProcess start = GarnetProcess.Run(
            "--port",
            "0",
            "--unixsocket",
            Path.Combine(garnet.Folder, "t"),
            "--dir",
            "/proc",
            "--save",
            "60 1"
        );
        Assert.Equal(1, start.ExitCode);
        Assert.Contains("dir /proc is not writable (", start.Output, StringComparison.Ordinal);
    }

    // The tests may run as root, who can write anywhere, but not into a folder that is gone.
    private static GarnetProcess StartWithoutFolder(out string folder, params string[] more)
    {
        folder = Directory.CreateTempSubdirectory("garnet-gone-").FullName;
        var garnet = GarnetProcess.Start(["--dir", folder, "--save", "3600 1", .. more]);
        using RespExchange client = garnet.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "key", "value"));
        Directory.Delete(folder, recursive: true);
        return garnet;
    }

    private static void Await(GarnetProcess garnet, string text) =>
        Assert.True(SpinWait.SpinUntil(() => garnet.Output.Contains(text, StringComparison.Ordinal), Patience), garnet.Output);
}
