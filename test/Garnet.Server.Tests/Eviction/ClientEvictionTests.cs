// Which clients are disconnected if all clients together use too much memory. Each test has its own server.
using Xunit;

namespace Garnet.Server.Tests.Eviction;

public sealed class ClientEvictionTests
{
    private static readonly string Large = new('q', 300_000);

    [Fact]
    public void The_largest_client_is_disconnected_and_the_others_stay()
    {
        using InProcessServer server = new(o => o.MaxMemoryClientsBytes = 5 << 19);
        InProcessClient[] clients = [.. Enumerable.Range(0, 4).Select(_ => server.Connect())];
        Queue(clients[0], 1);
        Queue(clients[1], 2);
        Queue(clients[2], 6);
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Contains("evicted_clients:1\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
        Assert.True(clients[2].Session.End.IsForced);
        Assert.False(clients[0].Session.End.IsForced);
        Assert.False(clients[1].Session.End.IsForced);
        Assert.Equal("*2\r\n+OK\r\n+OK\r\n", clients[1].Call("EXEC"));
    }

    [Fact]
    public void A_client_with_NO_EVICT_stays()
    {
        using InProcessServer server = new(o => o.MaxMemoryClientsBytes = 1 << 20);
        InProcessClient client = server.Connect();
        client.Call("CLIENT", "NO-EVICT", "ON");
        Queue(client, 6);
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Contains("evicted_clients:0\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
        Assert.False(client.Session.End.IsForced);
    }

    [Fact]
    public void A_percentage_is_relative_to_maxmemory()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "maxmemory-clients", "5%"));
        Assert.Equal("*2\r\n$17\r\nmaxmemory-clients\r\n$2\r\n5%\r\n", server.Call("CONFIG", "GET", "maxmemory-clients"));
        InProcessClient client = server.Connect();
        Queue(client, 8);
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.False(client.Session.End.IsForced);
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "maxmemory", "20mb"));
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.True(client.Session.End.IsForced);
    }

    [Fact]
    public void CLIENT_LIST_shows_the_memory_of_each_client()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect();
        Queue(client, 3);
        string line = server.Call("CLIENT", "LIST").Split('\n').First(line => line.Contains("multi=3", StringComparison.Ordinal));
        string memory = line.Split(' ').First(word => word.StartsWith("tot-mem=", StringComparison.Ordinal));
        Assert.InRange(int.Parse(memory[8..], System.Globalization.CultureInfo.InvariantCulture), 900_000, 2_000_000);
    }

    private static void Queue(InProcessClient client, int commands)
    {
        client.Call("MULTI");
        for (int i = 0; i < commands; i++)
            Assert.Equal("+QUEUED\r\n", client.Call("SET", "key", Large));
    }
}
