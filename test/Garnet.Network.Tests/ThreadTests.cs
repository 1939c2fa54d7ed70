// I/O threads: the distribution of connections, their counters, and a port in use.
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network.Tests;

public sealed class ThreadTests
{
    public static TheoryData<string> AllTransports => Transports.All;

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Idle_connections_are_distributed_evenly_over_new_threads_and_back(string transport)
    {
        await using TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync, new TransportOptions { IoThreads = 1 });
        var clients = new List<Socket>();
        for (int i = 0; i < 60; i++)
        {
            clients.Add(await rig.ConnectAsync());
            await clients[i].SendAsync(new byte[1]);
            await EchoTests.ReceiveAsync(clients[i], 1);
        }
        rig.Transport.SetIoThreads(4);
        await TransportRig.UntilAsync(() => rig.Transport.Statistics.All(thread => thread.Connections == 15), "an even spread");
        rig.Transport.SetIoThreads(2);
        await TransportRig.UntilAsync(
            () => rig.Transport.Statistics.Sum(thread => thread.Connections) == 60,
            "the retired threads' connections"
        );
        rig.Transport.SetIoThreads(0);
        Assert.Equal(transport == "epoll" ? 1 : Math.Min(16, Environment.ProcessorCount), rig.Transport.IoThreads);
        foreach (Socket client in clients)
        {
            await client.SendAsync(new byte[1]);
            await EchoTests.ReceiveAsync(client, 1);
            client.Dispose();
        }
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Threads_count_what_they_do(string transport)
    {
        await using TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync, new TransportOptions { IoThreads = 1 });
        using Socket client = await rig.ConnectAsync();
        for (int i = 0; i < 100; i++)
        {
            await client.SendAsync(new byte[10]);
            await EchoTests.ReceiveAsync(client, 10);
        }
        await TransportRig.UntilAsync(() => rig.Transport.Statistics[0].BytesOut == 1000, "the last reply to be counted");
        IoThreadStatistics thread = Assert.Single(rig.Transport.Statistics);
        Assert.Equal(1000, thread.BytesIn);
        Assert.Equal(100, thread.Reads);
        Assert.Equal(100, thread.Writes);
        Assert.InRange(thread.Wakes, 1, long.MaxValue);
        Assert.InRange(thread.BusyTime.Ticks, 1, long.MaxValue);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_port_in_use_is_reported_and_can_be_bound_at_once_after_its_owner_stopped(string transport)
    {
        IPEndPoint endPoint;
        await using (TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync))
        {
            endPoint = (IPEndPoint)rig.EndPoint;
            await using ITransport second = Transports.Create(transport);
            await Assert.ThrowsAsync<AddressInUseException>(async () => await second.BindAsync(endPoint));
            using Socket client = await rig.ConnectAsync();
            await client.SendAsync(new byte[1]);
            await EchoTests.ReceiveAsync(client, 1);
        }
        // Our side closed first, so the port has a connection in TIME_WAIT.
        await using TransportRig again = await TransportRig.StartAsync(transport, Sessions.EchoAsync, endPoint: endPoint);
        Assert.Equal(endPoint, again.EndPoint);
    }
}
