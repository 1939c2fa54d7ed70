// What a client's output promises to those that wait for it.
using Garnet.Server.Sessions;
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
        using ClientSession client = new(server.Server, connection, id: 100);
        Task first = client.Output.DrainAsync();
        Assert.Same(first, client.Output.DrainAsync());
        Assert.False(first.IsCompleted);
        connection.Draining.SetResult();
        await first;
        connection.Draining = new TaskCompletionSource();
        Assert.False(client.Output.DrainAsync().IsCompleted);
    }
}
