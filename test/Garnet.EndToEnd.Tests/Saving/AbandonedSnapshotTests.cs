// A final snapshot that is abandoned on a second SIGINT, as its disk does not respond. Separate processes.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Saving;

public sealed class AbandonedSnapshotTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public void A_second_interrupt_during_the_final_save_ends_the_server_with_exit_code_1()
    {
        using GarnetProcess garnet = StartAndInterrupt();
        // Nothing but another SIGINT abandons the save.
        garnet.Signal("TERM");
        using (RespExchange client = garnet.Connect())
            Assert.Equal("$5\r\nvalue\r\n", client.ExecuteText("GET", "key"));
        garnet.Signal("INT");
        Assert.Equal(1, garnet.WaitForExit(Patience));
        Assert.Contains("Ended without a final snapshot: changes since the last one are lost", garnet.Output, StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(garnet.Folder, "dump.rdb")));
    }

    [Fact]
    public void The_save_of_a_cancelled_shutdown_is_abandoned_by_the_next_interrupt()
    {
        using GarnetProcess garnet = StartAndInterrupt();
        using (RespExchange client = garnet.Connect())
            Assert.Equal("+OK\r\n", client.ExecuteText("SHUTDOWN", "ABORT"));
        // The save waits for its disk, so it is still there to be abandoned.
        garnet.Signal("INT");
        Assert.Equal(1, garnet.WaitForExit(Patience));
    }

    private static GarnetProcess StartAndInterrupt()
    {
        var garnet = GarnetProcess.StartStalling("write snapshot aside", "--save", "3600 1");
        using (RespExchange client = garnet.Connect())
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "key", "value"));
        File.WriteAllText(Path.Combine(garnet.Folder, "armed"), "");
        garnet.Signal("INT");
        Assert.True(SpinWait.SpinUntil(() => garnet.Output.Contains("The disk stalls", StringComparison.Ordinal), Patience), garnet.Output);
        return garnet;
    }
}
