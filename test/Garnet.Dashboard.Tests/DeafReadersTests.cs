// More clients than there are places, none of which is logged in or reads anything: how many are open, and what they cost.
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.Hosting.Dashboard;
using Garnet.Hosting.Http;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit;

namespace Garnet.Dashboard.Tests;

[Collection(Alone.Name)]
public sealed class DeafReadersTests
{
    private const int MiB = 1 << 20;
    private const int Readers = 1100;
    private const int MaxConnections = DashboardEndpoint.MaxConnections;

    // Of their own memory each has a request's: what Kestrel has read, a piece of an answer and what is around them.
    private const int MaxBytesPerConnection = 96 * 1024;

    [Fact]
    public async Task Readers_that_read_nothing_are_bounded_in_number_and_in_bytes()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        DashboardApplication dashboard = server.Server.Dashboards.Add(new DashboardSettings());
        // That slow peers lose their connections, after seconds, is left out.
        await using var endpoint = new HttpEndpoint(
            [new IPEndPoint(IPAddress.Loopback, 0)],
            DashboardEndpoint.MaxConnections,
            static limits =>
            {
                DashboardEndpoint.SetLimits(limits);
                limits.MinResponseDataRate = null;
            },
            context => dashboard.AnswerAsync(context, context.Request.Path.Value!.TrimStart('/')),
            NullLoggerFactory.Instance
        );
        await endpoint.StartAsync(CancellationToken.None);
        var at = (IPEndPoint)endpoint.EndPoints[0];
        await WarmUpAsync(at);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        List<Socket> readers = [];
        try
        {
            for (int i = 0; i < Readers; i++)
            {
                readers.Add(await AskOftenAsync(at));
                Assert.InRange(endpoint.Connections, 0, MaxConnections);
            }

            // Each has been answered or refused.
            foreach (Socket each in readers)
                await WaitForAnswerOrEndAsync(each);
            Assert.InRange(endpoint.Connections, MaxConnections / 2, MaxConnections);
            Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, 0, (long)MaxConnections * MaxBytesPerConnection);
            Assert.InRange(dashboard.Memory.Held, 0, MiB);
        }
        finally
        {
            readers.ForEach(static each => each.Dispose());
        }

        // Once they have gone, there is place for one that reads.
        while (endpoint.Connections > 0)
            await Task.Delay(10);
        await WarmUpAsync(at);
    }

    private static async Task WarmUpAsync(IPEndPoint at)
    {
        using var client = new HttpClient();
        Assert.NotEmpty(await client.GetByteArrayAsync(new Uri($"http://{at}/app.js")));
    }

    // As many requests as the server reads ahead of its answers, each for the largest file.
    private static async Task<Socket> AskOftenAsync(IPEndPoint at)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4096 };
        string requests = string.Concat(Enumerable.Repeat($"GET /app.js HTTP/1.1\r\nHost: {at}\r\n\r\n", 40));
        try
        {
            await socket.ConnectAsync(at);
            await socket.SendAsync(Encoding.ASCII.GetBytes(requests));
        }
        catch (SocketException e) when (IsRefusal(e))
        {
            // Perhaps before the connecting has been seen to succeed.
        }

        return socket;
    }

    private static async Task WaitForAnswerOrEndAsync(Socket socket)
    {
        try
        {
            await socket.ReceiveAsync(new byte[1], SocketFlags.Peek);
        }
        catch (SocketException e) when (IsRefusal(e))
        {
            // That is an end, too.
        }
    }

    private static bool IsRefusal(SocketException e) =>
        e.SocketErrorCode is SocketError.ConnectionReset or SocketError.Shutdown or SocketError.NotConnected;
}
