// Connections whose peers do not read their last replies: bounded by maxclients. Each test has its own.
using Garnet.Server.Configuration;
using Garnet.Server.Sessions;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class LeavingConnectionsTests
{
    [Fact]
    public void No_more_connections_than_maxclients_wait_for_their_peers()
    {
        var leaving = new LeavingConnections(new ServerConfiguration(new GarnetOptions { MaxClients = 2 }));
        InProcessConnection[] connections = [.. Enumerable.Range(0, 3).Select(static _ => new InProcessConnection { UnsentBytes = 1 })];
        foreach (InProcessConnection connection in connections)
            leaving.Add(connection);
        Assert.Equal([false, false, true], connections.Select(static connection => connection.Closed.IsCancellationRequested));

        connections[0].Abort();
        InProcessConnection next = new() { UnsentBytes = 1 };
        leaving.Add(next);
        Assert.False(next.Closed.IsCancellationRequested);
        Assert.Equal(2, leaving.All.Count());
    }

    [Fact]
    public void A_connection_with_nothing_left_to_send_is_not_waited_for()
    {
        var leaving = new LeavingConnections(new ServerConfiguration(new GarnetOptions()));
        leaving.Add(new InProcessConnection());
        Assert.Empty(leaving.All);
    }
}
