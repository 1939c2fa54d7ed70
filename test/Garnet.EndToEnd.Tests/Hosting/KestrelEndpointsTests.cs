// The endpoints of a server on Kestrel: bound ports, several servers in one process, graceful and immediate stops.
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using Garnet.Hosting.Kestrel;
using Garnet.Network;
using Garnet.Network.Epoll;
using Garnet.Network.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

public sealed class KestrelEndpointsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    [Fact]
    public async Task Two_servers_listen_side_by_side_each_on_several_endpoints()
    {
        string path = Path.Combine(Path.GetTempPath(), $"garnet-{Guid.NewGuid():n}.sock");
        await using KestrelEndpoints first = Create();
        await using KestrelEndpoints second = Create();
        first.Add(AnyPort, EchoAsync);
        first.Add(new UnixDomainSocketEndPoint(path), EchoAsync);
        second.Add(AnyPort, EchoAsync);
        await first.StartAsync(default);
        await second.StartAsync(default);
        Assert.Equal(2, first.EndPoints.Count);
        foreach (EndPoint? endPoint in first.EndPoints.Concat(second.EndPoints))
        {
            Assert.NotEqual(0, (endPoint as IPEndPoint)?.Port);
            using Socket client = Connect(endPoint);
            Assert.Equal(7, Echo(client, 7));
        }
    }

    [Fact]
    public async Task A_port_in_use_is_named_in_the_error()
    {
        await using KestrelEndpoints first = Create();
        first.Add(AnyPort, EchoAsync);
        await first.StartAsync(default);
        await using KestrelEndpoints second = Create();
        second.Add(first.EndPoints[0], EchoAsync);
        EndPointException failure = await Assert.ThrowsAsync<EndPointException>(() => second.StartAsync(default));
        Assert.Contains(first.EndPoints[0].ToString()!, failure.Message);
    }

    [Fact]
    public async Task Stopping_asks_sessions_to_end_and_waits_for_them()
    {
        var begun = new TaskCompletionSource();
        var asked = new TaskCompletionSource();
        var letGo = new TaskCompletionSource();
        await using KestrelEndpoints endpoints = Create();
        endpoints.Add(
            AnyPort,
            async connection =>
            {
                connection.Features.Get<IConnectionLifetimeNotificationFeature>()!.ConnectionClosedRequested.Register(asked.SetResult);
                begun.SetResult();
                await letGo.Task;
                await connection.Transport.Output.WriteAsync("bye"u8.ToArray());
            }
        );
        await endpoints.StartAsync(default);
        using Socket client = Connect(endpoints.EndPoints[0]);
        // A connection that has not been accepted yet is simply closed.
        await begun.Task.WaitAsync(Patience);
        using var limit = new CancellationTokenSource(Patience);
        Task stopping = endpoints.StopAsync(limit.Token);
        await asked.Task.WaitAsync(Patience);
        Assert.False(stopping.IsCompleted);
        letGo.SetResult();
        await stopping.WaitAsync(Patience);
        Assert.Equal(3, client.Receive(new byte[10]));
        Assert.Equal(0, client.Receive(new byte[10]));
    }

    [Fact]
    public async Task Sessions_that_do_not_end_are_aborted_after_the_timeout()
    {
        KestrelEndpoints endpoints = Create();
        endpoints.Add(AnyPort, EchoAsync);
        await endpoints.StartAsync(default);
        using Socket client = Connect(endpoints.EndPoints[0]);
        Assert.Equal(2, Echo(client, 2));
        await endpoints.DisposeAsync().AsTask().WaitAsync(Patience);
        Assert.Equal(0, client.Receive(new byte[10]));
    }

    private static KestrelEndpoints Create()
    {
        var options = new TransportOptions();
        ITransport transport = OperatingSystem.IsLinux()
            ? new EpollTransport(options, NullLoggerFactory.Instance)
            : new SocketsTransport(options, NullLoggerFactory.Instance);
        return new KestrelEndpoints(transport, new ServiceCollection().BuildServiceProvider(), NullLoggerFactory.Instance);
    }

    private static Socket Connect(EndPoint endPoint)
    {
        Socket socket =
            endPoint is IPEndPoint
                ? new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
                : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.ReceiveTimeout = (int)Patience.TotalMilliseconds;
        socket.Connect(endPoint);
        return socket;
    }

    private static int Echo(Socket client, int bytes)
    {
        client.Send(new byte[bytes]);
        return client.Receive(new byte[100]);
    }

    private static async Task EchoAsync(ConnectionContext connection)
    {
        (PipeReader input, PipeWriter output) = (connection.Transport.Input, connection.Transport.Output);
        while (true)
        {
            ReadResult read = await input.ReadAsync();
            foreach (ReadOnlyMemory<byte> segment in read.Buffer)
                await output.WriteAsync(segment);
            input.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted)
                return;
        }
    }
}
