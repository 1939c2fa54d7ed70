// What a client's output promises to those that wait for it.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class ClientOutputTests
{
    // A replica's link, and a reply in pieces on the same connection.
    [Fact]
    public async Task Two_that_wait_for_the_network_share_one_wait()
    {
        using InProcessServer server = new();
        InProcessConnection connection = new() { Draining = new TaskCompletionSource() };
        using ClientSession client = server.Server.ClientFactory.Open(connection, id: 100, Origin.Connection);
        Task first = client.Output.DrainAsync();
        Assert.Same(first, client.Output.DrainAsync());
        Assert.False(first.IsCompleted);
        connection.Draining.SetResult();
        await first;
        connection.Draining = new TaskCompletionSource();
        Assert.False(client.Output.DrainAsync().IsCompleted);
    }

    // By its own thread, by one that publishes, or by both; at once, so that INFO knows of it when the client is gone.
    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void A_client_that_is_too_slow_is_closed_and_counted_once(bool byItself, bool byPublisher)
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "client-output-buffer-limit", "normal 1mb 0 0");
        InProcessConnection connection = new() { UnsentBytes = 1 << 20 };
        using ClientSession client = server.Server.ClientFactory.Open(connection, id: 100, Origin.Connection);
        if (byItself)
            Assert.True(client.Output.EndIfSlow(server.Server.Configuration.Current.ClientOutputBufferLimits, nowMs: 0));
        if (byPublisher)
            client.Output.CloseIfAtLimit();
        Assert.True(client.End.IsForced);
        Assert.Equal(1, server.Server.Statistics.OutputBufferDisconnections);
    }
}
