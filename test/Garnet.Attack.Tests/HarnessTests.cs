// The harness itself: both servers start, serve and can be measured.
using Garnet.Testing;
using Xunit;

namespace Garnet.Attack.Tests;

public sealed class HarnessTests
{
    [Fact]
    public void An_onlooker_notices_a_client_that_holds_the_server_up()
    {
        using AttackedServer server = AttackedServer.StartGarnet("--enable-debug-command", "yes");
        using var onlooker = new OnlookerClient(server);
        using RespExchange client = server.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("CLIENT", "PAUSE", "200", "ALL"));
        Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
        Assert.True(onlooker.LongestWait >= TimeSpan.FromMilliseconds(150));
        Assert.True(server.ResidentBytes > 0 && server.PeakResidentBytes >= server.ResidentBytes);
    }
}
