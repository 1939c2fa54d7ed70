// What connections cost: no allocation per round trip, little memory while idle, nothing left behind by a storm of them.
using Garnet.Network.Features;
using System.Net.Sockets;
using System.Text;

namespace Garnet.Network.Tests;

[Collection(Alone.Name)]
public sealed class CostTests
{
    public static TheoryData<string> AllTransports => Transports.All;

    [Fact]
    public async Task A_round_trip_on_epoll_allocates_nothing()
    {
        if (!OperatingSystem.IsLinux())
            return;
        long allocated = -1;
        await using var rig = await TransportRig.StartAsync(
            "epoll",
            async connection =>
            {
                var (input, output) = (connection.Transport.Input, connection.Transport.Output);
                long before = 0;
                // The last rounds are measured; those before warm up pools and tiers.
                for (var round = 0; round < 3000; round++)
                {
                    if (round == 2000)
                        before = GC.GetAllocatedBytesForCurrentThread();
                    var read = await input.ReadAsync();
                    read.Buffer.FirstSpan.CopyTo(output.GetSpan((int)read.Buffer.Length));
                    output.Advance((int)read.Buffer.Length);
                    input.AdvanceTo(read.Buffer.End);
                    await output.FlushAsync();
                    if (read.IsCompleted)
                        return;
                }
                allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            },
            new TransportOptions { IoThreads = 1 });
        using var client = await rig.ConnectAsync();
        client.Blocking = true;
        var bytes = new byte[100];
        for (var round = 0; round < 3000; round++)
        {
            client.Send(bytes);
            for (var received = 0; received < bytes.Length;)
                received += client.Receive(bytes, received, bytes.Length - received, SocketFlags.None);
        }
        await TransportRig.UntilAsync(() => rig.Ended == 1, "the session to end");
        Assert.Equal(0, allocated);
    }

    [Fact]
    public async Task Posting_allocates_nothing()
    {
        if (!OperatingSystem.IsLinux())
            return;
        var affinities = new TaskCompletionSource<IConnectionAffinity>();
        await using var rig = await TransportRig.StartAsync("epoll", connection =>
        {
            affinities.SetResult(Sessions.Affinity(connection));
            return Sessions.EchoAsync(connection);
        });
        using var client = await rig.ConnectAsync();
        var affinity = await affinities.Task.WaitAsync(TransportRig.Patience);
        var ran = 0;
        Action<object?> callback = _ => Interlocked.Increment(ref ran);
        var allocated = PostAll(affinity, callback, () => Volatile.Read(ref ran));
        Assert.Equal(0, allocated);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_transport_that_is_disposed_has_given_its_memory_back(string transport)
    {
        TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync);
        using (var cut = await rig.ConnectAsync())
        using (var whole = await rig.ConnectAsync())
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

    [Fact]
    public async Task An_idle_connection_on_epoll_costs_at_most_two_kilobytes()
    {
        if (!OperatingSystem.IsLinux())
            return;
        const int Connections = 400;
        await using var rig = await TransportRig.StartAsync("epoll", Sessions.EchoAsync);
        var clients = new Socket[Connections];
        using (var warm = await rig.ConnectAsync())
        {
            await warm.SendAsync(new byte[5]);
            await EchoTests.ReceiveAsync(warm, 5);
        }
        for (var i = 0; i < Connections; i++)
            clients[i] = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        var (managed, native) = (GC.GetTotalMemory(forceFullCollection: true), rig.Transport.AllocatedBytes);
        foreach (var client in clients)
        {
            client.Connect(rig.EndPoint);
            client.Send("hello"u8);
            client.Receive(new byte[5]);
        }
        var perConnection = (GC.GetTotalMemory(forceFullCollection: true) - managed + rig.Transport.AllocatedBytes - native) / Connections;
        foreach (var client in clients)
            client.Dispose();
        // The client's own socket objects are in the figure, too.
        Assert.InRange(perConnection, 1, 2048);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_storm_of_short_connections_mixes_nothing_up(string transport)
    {
        await using var rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync);
        var seed = Environment.TickCount;
        var clients = Enumerable.Range(0, 8).Select(n => Task.Run(async () =>
        {
            var random = new Random(seed + n);
            for (var i = 0; i < 150; i++)
            {
                using var socket = await rig.ConnectAsync();
                var text = $"client {n} connection {i}";
                await socket.SendAsync(Encoding.ASCII.GetBytes(text));
                switch (random.Next(4))
                {
                    case 0:
                        socket.LingerState = new LingerOption(true, 0); // leaves with a reset
                        break;
                    case 1:
                        break; // leaves at once
                    default:
                        Assert.Equal(text, Encoding.ASCII.GetString(await EchoTests.ReceiveAsync(socket, text.Length)));
                        break;
                }
            }
        }));
        await Task.WhenAll(clients).WaitAsync(TransportRig.Patience * 2);
        await TransportRig.UntilAsync(() => rig.Transport.Statistics.Sum(thread => thread.Connections) == 0, $"all connections to end, seed {seed}");
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_busy_connection_does_not_starve_a_quiet_one(string transport)
    {
        await using var rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync, new TransportOptions { IoThreads = 1 });
        using var busy = await rig.ConnectAsync();
        using var quiet = await rig.ConnectAsync();
        var stop = false;
        var sending = Task.Run(() =>
        {
            var bytes = new byte[1024 * 1024];
            while (!Volatile.Read(ref stop))
                busy.Send(bytes);
        });
        var receiving = Task.Run(() =>
        {
            var bytes = new byte[1024 * 1024];
            while (busy.Receive(bytes) > 0)
            {
            }
        });
        for (var i = 0; i < 50; i++)
        {
            await quiet.SendAsync("ping"u8.ToArray());
            await EchoTests.ReceiveAsync(quiet, 4);
        }
        Volatile.Write(ref stop, true);
        await sending.WaitAsync(TransportRig.Patience);
        busy.Shutdown(SocketShutdown.Send);
        await receiving.WaitAsync(TransportRig.Patience);
        // At most one receive buffer a turn.
        var thread = Assert.Single(rig.Transport.Statistics);
        Assert.InRange(thread.BytesIn / thread.Reads, 1, new TransportOptions().ReceiveBytesPerTurn);
    }

    private static long PostAll(IConnectionAffinity affinity, Action<object?> callback, Func<int> ran)
    {
        long before = 0;
        for (var i = 1; i <= 3000; i++)
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
