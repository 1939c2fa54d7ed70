// The cost of connections: no allocation per round trip, little memory while idle, and none left over after a burst of connections.
using System.IO.Pipelines;
using System.Net.Sockets;
using System.Text;
using Garnet.Network.Features;
using Garnet.Testing;

namespace Garnet.Network.Tests;

[Collection(Alone.Name)]
public sealed class CostTests
{
    public static TheoryData<string> AllTransports => Transports.All;

    [LinuxFact]
    public async Task A_round_trip_on_epoll_allocates_nothing()
    {
        long allocated = -1;
        await using TransportRig rig = await TransportRig.StartAsync(
            "epoll",
            async connection =>
            {
                (PipeReader input, PipeWriter output) = (connection.Transport.Input, connection.Transport.Output);
                long before = 0;
                // Only the last rounds are measured; the earlier ones warm up pools and tiered compilation.
                for (int round = 0; round < 3000; round++)
                {
                    if (round == 2000)
                        before = GC.GetAllocatedBytesForCurrentThread();
                    ReadResult read = await input.ReadAsync();
                    read.Buffer.FirstSpan.CopyTo(output.GetSpan((int)read.Buffer.Length));
                    output.Advance((int)read.Buffer.Length);
                    input.AdvanceTo(read.Buffer.End);
                    await output.FlushAsync();
                    if (read.IsCompleted)
                        return;
                }
                allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            },
            new TransportOptions { IoThreads = 1 }
        );
        using Socket client = await rig.ConnectAsync();
        client.Blocking = true;
        byte[] bytes = new byte[100];
        for (int round = 0; round < 3000; round++)
        {
            client.Send(bytes);
            for (int received = 0; received < bytes.Length; )
                received += client.Receive(bytes, received, bytes.Length - received, SocketFlags.None);
        }
        await TransportRig.UntilAsync(() => rig.Ended == 1, "the session to end");
        Assert.Equal(0, allocated);
    }

    [LinuxFact]
    public async Task Posting_allocates_nothing()
    {
        var affinities = new TaskCompletionSource<IConnectionAffinity>();
        await using TransportRig rig = await TransportRig.StartAsync(
            "epoll",
            connection =>
            {
                affinities.SetResult(Sessions.Affinity(connection));
                return Sessions.EchoAsync(connection);
            }
        );
        using Socket client = await rig.ConnectAsync();
        IConnectionAffinity affinity = await affinities.Task.WaitAsync(TransportRig.Patience);
        int ran = 0;
        Action<object?> callback = _ => Interlocked.Increment(ref ran);
        long allocated = PostAll(affinity, callback, () => Volatile.Read(ref ran));
        Assert.Equal(0, allocated);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_disposed_transport_has_freed_its_memory(string transport)
    {
        TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync);
        using (Socket cut = await rig.ConnectAsync())
        using (Socket whole = await rig.ConnectAsync())
        {
            await cut.SendAsync(new byte[300_000]).WaitAsync(TransportRig.Patience);
            cut.LingerState = new LingerOption(true, 0);
            await whole.SendAsync(new byte[5000]);
            await EchoTests.ReceiveAsync(whole, 5000);
            Assert.InRange(rig.Transport.AllocatedBytes, 1, long.MaxValue);
        }

        await rig.DisposeAsync();
        Assert.Equal(0, rig.Transport.AllocatedBytes);
    }

    [LinuxFact]
    public async Task An_idle_connection_on_epoll_costs_at_most_two_kilobytes()
    {
        const int Connections = 400;
        await using TransportRig rig = await TransportRig.StartAsync("epoll", Sessions.EchoAsync);
        var clients = new Socket[Connections];
        using (Socket warm = await rig.ConnectAsync())
        {
            await warm.SendAsync(new byte[5]);
            await EchoTests.ReceiveAsync(warm, 5);
        }
        for (int i = 0; i < Connections; i++)
            clients[i] = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        (long managed, long native) = (GC.GetTotalMemory(forceFullCollection: true), rig.Transport.AllocatedBytes);
        foreach (Socket client in clients)
        {
            client.Connect(rig.EndPoint);
            client.Send("hello"u8);
            client.Receive(new byte[5]);
        }
        long perConnection = (GC.GetTotalMemory(forceFullCollection: true) - managed + rig.Transport.AllocatedBytes - native) / Connections;
        foreach (Socket client in clients)
            client.Dispose();
        // The client's socket objects are included in the figure.
        Assert.InRange(perConnection, 1, 2048);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Many_short_connections_get_only_their_own_replies(string transport)
    {
        await using TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync);
        int seed = TestSeed.ChooseAnew();
        IEnumerable<Task> clients = Enumerable
            .Range(0, 8)
            .Select(n =>
                Task.Run(async () =>
                {
                    var random = new Random(seed + n);
                    for (int i = 0; i < 150; i++)
                    {
                        using Socket socket = await rig.ConnectAsync();
                        string text = $"client {n} connection {i}";
                        await socket.SendAsync(Encoding.ASCII.GetBytes(text));
                        switch (random.Next(4))
                        {
                            case 0:
                                socket.LingerState = new LingerOption(true, 0); // closes with a reset
                                break;
                            case 1:
                                break; // disconnects at once
                            default:
                                Assert.Equal(text, Encoding.ASCII.GetString(await EchoTests.ReceiveAsync(socket, text.Length)));
                                break;
                        }
                    }
                })
            );
        await Task.WhenAll(clients).WaitAsync(TransportRig.Patience * 2);
        await TransportRig.UntilAsync(
            () => rig.Transport.Statistics.Sum(thread => thread.Connections) == 0,
            $"all connections to end, seed {seed}"
        );
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_busy_connection_does_not_starve_a_quiet_one(string transport)
    {
        await using TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync, new TransportOptions { IoThreads = 1 });
        using Socket busy = await rig.ConnectAsync();
        using Socket quiet = await rig.ConnectAsync();
        bool stop = false;
        var sending = Task.Run(() =>
        {
            byte[] bytes = new byte[1024 * 1024];
            while (!Volatile.Read(ref stop))
                busy.Send(bytes);
        });
        var receiving = Task.Run(() =>
        {
            byte[] bytes = new byte[1024 * 1024];
            while (busy.Receive(bytes) > 0) { }
        });
        for (int i = 0; i < 50; i++)
        {
            await quiet.SendAsync("ping"u8.ToArray());
            await EchoTests.ReceiveAsync(quiet, 4);
        }
        Volatile.Write(ref stop, true);
        await sending.WaitAsync(TransportRig.Patience);
        busy.Shutdown(SocketShutdown.Send);
        await receiving.WaitAsync(TransportRig.Patience);
        // At most one receive buffer per turn.
        IoThreadStatistics thread = Assert.Single(rig.Transport.Statistics);
        Assert.InRange(thread.BytesIn / thread.Reads, 1, new TransportOptions().ReceiveBytesPerTurn);
    }

    private static long PostAll(IConnectionAffinity affinity, Action<object?> callback, Func<int> ran)
    {
        long before = 0;
        for (int i = 1; i <= 3000; i++)
        {
            if (i == 1000)
                before = GC.GetAllocatedBytesForCurrentThread();
            Assert.True(affinity.Post(callback, null));
            while (ran() < i)
                Thread.Yield();
        }
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }
}
