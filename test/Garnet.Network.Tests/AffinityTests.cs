// The thread that runs a session, posting to it, and moving a connection to another thread.
using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using Garnet.Network.Features;
using Garnet.Network.Tls;
using Garnet.Testing;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network.Tests;

public sealed class AffinityTests
{
    public static TheoryData<string> AllTransports => Transports.All;

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_session_on_another_thread_returns_at_its_next_wait(string transport)
    {
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                (PipeReader input, PipeWriter output) = (connection.Transport.Input, connection.Transport.Output);
                IConnectionAffinity affinity = Sessions.Affinity(connection);
                while (true)
                {
                    ReadResult read = await input.ReadAsync();
                    Sessions.AssertOnOwner(connection);
                    // Yields in the middle of the batch, while it holds the receive buffer.
                    await Task.Yield();
                    Assert.False(affinity.IsOnOwnerThread);
                    output.Write(read.Buffer.FirstSpan);
                    input.AdvanceTo(read.Buffer.GetPosition(read.Buffer.Length / 2), read.Buffer.GetPosition(read.Buffer.Length / 2));
                    await output.FlushAsync();
                    Sessions.AssertOnOwner(connection);
                    await Task.Yield();
                    await new OwnerSwitch(affinity);
                    Sessions.AssertOnOwner(connection);
                    read = await input.ReadAsync();
                    output.Write(read.Buffer.FirstSpan);
                    await Task.Yield();
                    input.AdvanceTo(read.Buffer.End);
                    await output.FlushAsync();
                    if (read.IsCompleted)
                        return;
                }
            }
        );
        using System.Net.Sockets.Socket client = await rig.ConnectAsync();
        using System.Net.Sockets.Socket other = await rig.ConnectAsync(); // shares the I/O threads and so their buffers
        for (int i = 0; i < 300; i++)
        {
            await client.SendAsync("1234"u8.ToArray());
            await other.SendAsync("abcd"u8.ToArray());
            Assert.Equal("123434", Encoding.ASCII.GetString(await EchoTests.ReceiveAsync(client, 6)));
            Assert.Equal("abcdcd", Encoding.ASCII.GetString(await EchoTests.ReceiveAsync(other, 6)));
        }
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task What_is_posted_for_later_runs_on_the_owner_although_it_is_never_idle(string transport)
    {
        int posted = 0;
        int run = 0;
        using CancellationTokenSource ended = new();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                IConnectionAffinity affinity = Sessions.Affinity(connection);
                while (true)
                {
                    ReadResult read = await connection.Transport.Input.ReadAsync();
                    Interlocked.Increment(ref posted);
                    affinity.PostLater(
                        _ =>
                        {
                            Assert.True(affinity.IsOnOwnerThread);
                            Interlocked.Increment(ref run);
                        },
                        null
                    );
                    connection.Transport.Output.Write(read.Buffer.FirstSpan);
                    connection.Transport.Input.AdvanceTo(read.Buffer.GetPosition(read.Buffer.FirstSpan.Length));
                    await connection.Transport.Output.FlushAsync();
                    if (read.IsCompleted)
                        return;
                }
            },
            new TransportOptions { IoThreads = 1 }
        );
        Task[] busy = [.. Enumerable.Range(0, 4).Select(_ => Task.Run(() => EchoUntilAsync(rig, ended.Token)))];
        using System.Net.Sockets.Socket client = await rig.ConnectAsync();
        for (int i = 0; i < 100; i++)
        {
            await client.SendAsync("1"u8.ToArray());
            await EchoTests.ReceiveAsync(client, 1);
            int before = Volatile.Read(ref posted);
            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref run) >= before, TransportRig.Patience));
        }

        await ended.CancelAsync();
        await Task.WhenAll(busy);
    }

    private static async Task EchoUntilAsync(TransportRig rig, CancellationToken ended)
    {
        using System.Net.Sockets.Socket client = await rig.ConnectAsync();
        while (!ended.IsCancellationRequested)
        {
            await client.SendAsync("abc"u8.ToArray(), CancellationToken.None);
            await EchoTests.ReceiveAsync(client, 3);
        }
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Posts_run_on_the_owner_in_order_while_the_connection_moves(string transport)
    {
        const int Posts = 20_000;
        var connections = new TaskCompletionSource<ConnectionContext>();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            connection =>
            {
                connections.SetResult(connection);
                return Sessions.EchoAsync(connection);
            },
            new TransportOptions { IoThreads = 3 }
        );
        using System.Net.Sockets.Socket client = await rig.ConnectAsync();
        ConnectionContext connection = await connections.Task.WaitAsync(TransportRig.Patience);
        IConnectionAffinity affinity = Sessions.Affinity(connection);
        var order = new Order(affinity);
        for (int i = 0; i < Posts; i++)
        {
            if (i % 50 == 0)
                Assert.True(affinity.RequestMove(i / 50 % 3));
            Assert.True(affinity.Post(Order.Next, order));
        }
        await TransportRig.UntilAsync(() => order.Count == Posts, "all posts to run");
        Assert.Equal(0, order.Elsewhere);
        // Two threads post at once: each post runs exactly once.
        IEnumerable<Task> posters = Enumerable
            .Range(0, 2)
            .Select(_ =>
                Task.Run(() =>
                {
                    for (int i = 0; i < Posts; i++)
                        affinity.Post(Order.Next, order);
                })
            );
        await Task.WhenAll(posters);
        await TransportRig.UntilAsync(() => order.Count == 3 * Posts, "all posts to run");
        Assert.Equal(0, order.Elsewhere);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task After_disposal_nothing_can_be_posted(string transport)
    {
        var connections = new TaskCompletionSource<ConnectionContext>();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            connection =>
            {
                connections.SetResult(connection);
                return Task.CompletedTask;
            }
        );
        using System.Net.Sockets.Socket client = await rig.ConnectAsync();
        IConnectionAffinity affinity = Sessions.Affinity(await connections.Task.WaitAsync(TransportRig.Patience));
        await TransportRig.UntilAsync(() => rig.Ended == 1, "the session to end");
        Assert.False(affinity.Post(_ => Assert.Fail("ran"), null));
        Assert.False(affinity.RequestMove(0));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Changing_the_number_of_threads_under_load_loses_nothing(string transport)
    {
        int seed = TestSeed.ChooseAnew();
        var random = new Random(seed);
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            Sessions.EchoLinesAsync,
            new TransportOptions { IoThreads = 1 }
        );
        bool stop = false;
        int rounds = 0;
        Task[] clients = Enumerable
            .Range(0, 24)
            .Select(n =>
                Task.Run(async () =>
                {
                    using System.Net.Sockets.Socket socket = await rig.ConnectAsync();
                    for (int i = 0; !Volatile.Read(ref stop); i++)
                    {
                        string text = new string((char)('a' + i % 26), 1 + i * 37 % 5000);
                        await socket.SendAsync(Encoding.ASCII.GetBytes(text)); // incomplete: the connection keeps it
                        if (i % 3 == 0)
                            await Task.Yield();
                        await socket.SendAsync("\n"u8.ToArray());
                        Assert.Equal(text + "\n", Encoding.ASCII.GetString(await EchoTests.ReceiveAsync(socket, text.Length + 1)));
                        Interlocked.Increment(ref rounds);
                    }
                })
            )
            .ToArray();
        foreach (int count in new[] { 3, 1, 4, 2, 5, 1, 2 }.Concat(Enumerable.Range(0, 10).Select(_ => 1 + random.Next(5))))
        {
            rig.Transport.SetIoThreads(count);
            Assert.Equal(count, rig.Transport.IoThreads);
            int seen = Volatile.Read(ref rounds);
            await TransportRig.UntilAsync(() => Volatile.Read(ref rounds) > seen + 100 || clients.Any(c => c.IsFaulted), "progress");
            await TransportRig.UntilAsync(
                () => rig.Transport.Statistics.Sum(thread => thread.Connections) == 24 || clients.Any(c => c.IsFaulted),
                $"all connections on {count} threads, seed {seed}"
            );
        }
        Volatile.Write(ref stop, true);
        await Task.WhenAll(clients).WaitAsync(TransportRig.Patience);
        rig.Transport.SetIoThreads(4);
    }

    private sealed class Order(IConnectionAffinity affinity)
    {
        internal static readonly Action<object?> Next = static order => ((Order)order!).Run();

        private int _count;

        internal int Count => Volatile.Read(ref _count);

        internal int Elsewhere { get; private set; }

        private void Run()
        {
            if (!affinity.IsOnOwnerThread)
                Elsewhere++;
            Volatile.Write(ref _count, _count + 1); // not atomic: concurrent increments would be lost
        }
    }
}
