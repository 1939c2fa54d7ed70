// The harness itself: both servers start, serve and can be measured.
using Garnet.Testing;
using Xunit;

namespace Garnet.Attack.Tests;

public sealed class HarnessTests
{
    [Fact]
    public void An_onlooker_notices_a_client_that_holds_the_server_up()
    {
        using var server = AttackedServer.StartGarnet("--enable-debug-command", "yes");
        using var onlooker = new OnlookerClient(server);
        using RespExchange client = server.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("CLIENT", "PAUSE", "60000", "WRITE"));
        FaultTarget.Await(() => onlooker.LongestWait >= TimeSpan.FromMilliseconds(150), () => "The onlooker waits for nothing.");
        Assert.Equal("+OK\r\n", client.ExecuteText("CLIENT", "UNPAUSE"));
        // Not compared: the system counts both in parts, and at different times.
        Assert.True(server.ResidentBytes > 0 && server.PeakResidentBytes > 0);
    }
}
