// The cost of untrusted clients: declared lengths, incomplete requests and unread replies of connections that have not logged in, or need
// not. Each test has its own process.
using System.Diagnostics;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class UnauthenticatedFloodTests
{
    private const long AllowedGrowth = 64L << 20;

    [Theory]
    [InlineData("epoll", "secret", "*2147483647\r\n", "ERR Protocol error: unauthenticated multibulk length")]
    [InlineData("epoll", "secret", "*11\r\n", "ERR Protocol error: unauthenticated multibulk length")]
    [InlineData("epoll", "secret", "*1\r\n$16385\r\n", "ERR Protocol error: unauthenticated bulk length")]
    [InlineData("epoll", "secret", "*1\r\n$2147483647\r\n", "ERR Protocol error: invalid bulk length")]
    [InlineData("sockets", "secret", "*11\r\n", "ERR Protocol error: unauthenticated multibulk length")]
    [InlineData("sockets", "secret", "*1\r\n$16385\r\n", "ERR Protocol error: unauthenticated bulk length")]
    [InlineData("epoll", "", "*2147483648\r\n", "ERR Protocol error: invalid multibulk length")]
    [InlineData("epoll", "", "*1\r\n$2147483647\r\n", "ERR Protocol error: invalid bulk length")]
    [InlineData("epoll", "", "*1\r\n$-1\r\n", "ERR Protocol error: invalid bulk length")]
    [InlineData("epoll", "", "*1\r\n:1\r\n", "ERR Protocol error: expected '$', got ':'")]
    [InlineData("epoll", "", "GET \"\r\n", "ERR Protocol error: unbalanced quotes in request")]
    [InlineData("sockets", "", "*1\r\n$2147483647\r\n", "ERR Protocol error: invalid bulk length")]
    public void An_invalid_length_is_reported_and_the_connection_closed(string transport, string password, string request, string error)
    {
        using FaultTarget target = Start(transport, password);
        for (int i = 0; i < FaultScale.Count(20, 1000); i++)
        {
            using RespExchange client = target.Process.Connect();
            client.Send(Encoding.Latin1.GetBytes(request));
            Assert.Equal($"-{error}\r\n", Encoding.Latin1.GetString(client.ReadReply()!));
            Assert.Null(client.ReadReply());
        }

        target.AssertAlive();
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll", "secret")]
    [InlineData("epoll", "")]
    [InlineData("sockets", "secret")]
    [InlineData("sockets", "")]
    public void Requests_that_never_end_cost_what_was_sent(string transport, string password)
    {
        string[] beginnings =
            password.Length > 0
                ? ["*", "*10\r\n", "*10\r\n$16384\r\n", "*1\r\n$16384\r\nabc", "GET", "*1\r\n$"]
                :
                [
                    "*2147483647\r\n",
                    "*2147483647\r\n$1\r\na\r\n",
                    "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$536870912\r\n",
                    "*1048576\r\n$536870912\r\nabc",
                    "*1\r\n$536870912\r\n",
                    "GET \"",
                    "*",
                ];
        using FaultTarget target = Start(transport, password);
        target.AssertAlive();
        long before = target.ResidentBytes;
        var clients = new List<Socket>();
        for (int i = 0; i < FaultScale.Count(300, 1000); i++)
        {
            Socket client = target.ConnectSocket();
            client.Send(Encoding.Latin1.GetBytes(beginnings[i % beginnings.Length]));
            clients.Add(client);
        }

        target.AssertAlive();
        FaultTarget.Await(
            () => target.Info("connected_clients") == clients.Count + 1,
            () => "Connections with unfinished requests must stay."
        );
        target.AwaitResident(before + AllowedGrowth);
        clients.ForEach(client => client.Dispose());
        FaultTarget.Await(() => target.Info("connected_clients") == 1, () => "The connections must be gone.");
        // Memory kept for reuse is returned to the system slightly later.
        FaultTarget.Await(() => target.Info("store_block_bytes") == 0, () => "The memory of their requests must be given back.");
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void The_longest_request_of_an_unauthenticated_client_costs_its_own_length(string transport)
    {
        using FaultTarget target = Start(transport, "secret");
        target.AssertAlive();
        long before = target.ResidentBytes;
        byte[] request = RespExchange.Encode([.. Enumerable.Repeat(new byte[16 * 1024], 10)]);
        var waiting = new Queue<Socket>();
        for (int i = 0; i < FaultScale.Count(200, 1000); i++)
        {
            Socket client = target.ConnectSocket();
            client.Send(request.AsSpan(0, request.Length - 1));
            waiting.Enqueue(client);
            if (waiting.Count > 100)
                waiting.Dequeue().Dispose();
        }

        target.AssertAlive();
        target.AwaitResident(before + AllowedGrowth);
        using (RespExchange whole = target.Process.Connect())
        {
            whole.Send(request);
            Assert.Equal("-NOAUTH Authentication required.\r\n", Encoding.Latin1.GetString(whole.ReadReply()!));
        }

        foreach (Socket client in waiting)
            client.Dispose();
        target.AssertAlive();
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void An_unauthenticated_client_that_does_not_read_is_disconnected(string transport)
    {
        using FaultTarget target = Start(transport, "secret");
        target.AssertAlive();
        long before = target.ResidentBytes;
        byte[] flood = FaultTarget.Pipeline(10_000, "NOSUCH");
        for (int i = 0; i < FaultScale.Count(10, 1000); i++)
        {
            using Socket client = target.ConnectSocket();
            Assert.True(IsCutOff(client, flood, 200), "The server went on reading.");
        }

        target.AssertAlive();
        target.AwaitResident(before + AllowedGrowth);
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Many_wrong_passwords_and_reconnections_leave_nothing_behind(string transport)
    {
        using FaultTarget target = Start(transport, "secret");
        target.AssertAlive();
        long before = target.ResidentBytes;
        for (int i = 0; i < FaultScale.Count(500, 20_000); i++)
        {
            using RespExchange client = target.Process.Connect();
            Assert.Equal("-WRONGPASS invalid username-password pair or user is disabled.\r\n", client.ExecuteText("AUTH", "guess" + i));
        }

        FaultTarget.Await(() => target.Info("connected_clients") == 1, () => "The connections must be gone.");
        target.AwaitResident(before + AllowedGrowth);
        target.AssertEndsWell();
    }

    private static FaultTarget Start(string transport, string password) =>
        password.Length > 0 ? new FaultTarget(transport, "--requirepass", password) : new FaultTarget(transport);

    // The runtime also reports a send on a closed connection as a timeout; a real timeout takes longer.
    private static bool IsCutOff(Socket client, byte[] flood, int most)
    {
        long start = Stopwatch.GetTimestamp();
        try
        {
            for (int i = 0; i < most; i++)
                client.Send(flood);
            return false;
        }
        catch (SocketException)
        {
            return Stopwatch.GetElapsedTime(start) < TimeSpan.FromSeconds(20);
        }
    }
}
