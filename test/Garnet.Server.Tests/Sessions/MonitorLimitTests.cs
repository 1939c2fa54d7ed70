// Output buffer limits of MONITOR clients that do not read, even if their own thread is busy.
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class MonitorLimitTests
{
    private const int Limit = 100_000;

    [Fact]
    public void A_watcher_whose_session_is_busy_is_closed_at_the_hard_limit_and_takes_no_more()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "client-output-buffer-limit", $"normal {Limit} 0 0"));
        // Its session writes nothing from MONITOR on, as if its thread were busy with a long command of another client.
        InProcessClient watcher = server.Connect(connection: new InProcessConnection { Owner = new InProcessOwner(0) });
        Assert.Equal("+OK\r\n", watcher.Call("MONITOR"));
        string argument = new('x', 1000);
        for (int i = 0; i < 1000; i++)
        {
            server.Call("ECHO", argument);
            Assert.InRange(watcher.Session.Output.Messages!.Bytes, 0, Limit + 2000);
        }

        Assert.True(watcher.Session.End.IsForced);
        string stats = "";
        Assert.True(
            SpinWait.SpinUntil(
                () =>
                    (stats = server.Call("INFO", "stats")).Contains(
                        "client_output_buffer_limit_disconnections:1\r\n",
                        StringComparison.Ordinal
                    ),
                TimeSpan.FromSeconds(30)
            ),
            stats
        );
    }
}
