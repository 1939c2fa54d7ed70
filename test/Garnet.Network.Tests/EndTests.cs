// Ways in which connections end: half-close, reset, abort, stop.
using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;
using System.Text;
using Garnet.Network.Features;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network.Tests;

public sealed class EndTests
{
    public static TheoryData<string> AllTransports => Transports.All;

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_half_closed_client_still_gets_its_replies(string transport)
    {
        await using TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync);
        for (int i = 0; i < 50; i++)
        {
            using Socket client = await rig.ConnectAsync();
            await client.SendAsync("PING"u8.ToArray());
            client.Shutdown(SocketShutdown.Send);
            Assert.Equal("PING", Encoding.ASCII.GetString(await EchoTests.ReceiveAsync(client, 4)));
            Assert.Equal(0, await client.ReceiveAsync(new byte[1]).WaitAsync(TransportRig.Patience));
        }
        await TransportRig.UntilAsync(() => rig.Ended == 50, "all sessions to end");
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_reset_while_replies_are_written_ends_the_session(string transport)
    {
        var filling = new TaskCompletionSource();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                PipeWriter output = connection.Transport.Output;
                await connection.Transport.Input.ReadAsync();
                while (true)
                {
                    output.Write(new byte[64 * 1024]);
                    FlushResult flush = await output.FlushAsync();
                    Sessions.AssertOnOwner(connection);
                    filling.TrySetResult();
                    if (flush.IsCompleted)
                        return;
                    // The peer's reset is noticed only between turns, so yields.
                    if (connection.Features.Get<IOutputBacklog>()!.UnsentBytes > 1024 * 1024)
                        await connection.Features.Get<IOutputBacklog>()!.DrainAsync();
                }
            }
        );
        Socket client = await rig.ConnectAsync();
        await client.SendAsync(new byte[1]);
        await filling.Task.WaitAsync(TransportRig.Patience);
        client.LingerState = new LingerOption(true, 0);
        client.Dispose();
        await TransportRig.UntilAsync(() => rig.Ended == 1, "the session to end");
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_reset_while_the_session_reads_reads_as_completed(string transport)
    {
        var completed = new TaskCompletionSource<bool>();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                while (true)
                {
                    ReadResult read = await connection.Transport.Input.ReadAsync();
                    connection.Transport.Input.AdvanceTo(read.Buffer.End);
                    if (!read.IsCompleted)
                        continue;
                    completed.SetResult(Sessions.Affinity(connection).IsOnOwnerThread);
                    return;
                }
            }
        );
        Socket client = await rig.ConnectAsync();
        await client.SendAsync(new byte[10]);
        client.LingerState = new LingerOption(true, 0);
        client.Dispose();
        Assert.True(await completed.Task.WaitAsync(TransportRig.Patience));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task The_last_bytes_arrive_although_the_session_has_ended(string transport)
    {
        byte[] bytes = new byte[8 * 1024 * 1024];
        new Random(2).NextBytes(bytes);
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            connection =>
            {
                connection.Transport.Output.Write(bytes); // neither flushed nor completed
                return Task.CompletedTask;
            }
        );
        using Socket client = await rig.ConnectAsync();
        byte[] back = await EchoTests.ReceiveAsync(client, bytes.Length);
        Assert.True(bytes.AsSpan().SequenceEqual(back));
        Assert.Equal(0, await client.ReceiveAsync(new byte[1]).WaitAsync(TransportRig.Patience));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Unsent_replies_of_an_ended_session_are_discarded_after_a_timeout(string transport)
    {
        var options = new TransportOptions { CloseDrainTimeoutMs = 200 };
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                connection.Transport.Output.Write(new byte[32 * 1024 * 1024]);
                await connection.Transport.Output.FlushAsync();
            },
            options
        );
        using Socket client = await rig.ConnectAsync();
        await TransportRig.UntilAsync(() => rig.Ended == 1, "the connection to be closed");
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Abort_from_elsewhere_completes_the_pending_read_on_the_owner(string transport)
    {
        var connections = new TaskCompletionSource<ConnectionContext>();
        var completed = new TaskCompletionSource<bool>();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                connections.SetResult(connection);
                ReadResult read = await connection.Transport.Input.ReadAsync();
                completed.SetResult(read.IsCompleted && Sessions.Affinity(connection).IsOnOwnerThread);
            }
        );
        using Socket client = await rig.ConnectAsync();
        ConnectionContext aborted = await connections.Task.WaitAsync(TransportRig.Patience);
        var closed = new TaskCompletionSource();
        aborted.ConnectionClosed.Register(closed.SetResult);
        aborted.Abort(new ConnectionAbortedException("test"));
        Assert.True(await completed.Task.WaitAsync(TransportRig.Patience));
        await closed.Task.WaitAsync(TransportRig.Patience);
        Assert.Equal(0, await client.ReceiveAsync(new byte[1]).WaitAsync(TransportRig.Patience));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Stopping_with_open_connections_ends_their_sessions(string transport)
    {
        TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync);
        var clients = new List<Socket>();
        for (int i = 0; i < 20; i++)
        {
            Socket client = await rig.ConnectAsync();
            await client.SendAsync(new byte[3]);
            await EchoTests.ReceiveAsync(client, 3);
            clients.Add(client);
        }
        await rig.DisposeAsync();
        Assert.Equal(20, rig.Ended);
        foreach (Socket client in clients)
        {
            Assert.Equal(0, await client.ReceiveAsync(new byte[1]).WaitAsync(TransportRig.Patience));
            client.Dispose();
        }
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Cancelling_a_pending_read_continues_on_the_owner(string transport)
    {
        var connections = new TaskCompletionSource<ConnectionContext>();
        var canceled = new TaskCompletionSource<bool>();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                connections.SetResult(connection);
                ReadResult read = await connection.Transport.Input.ReadAsync();
                canceled.SetResult(read.IsCanceled && !read.IsCompleted && Sessions.Affinity(connection).IsOnOwnerThread);
                connection.Transport.Input.AdvanceTo(read.Buffer.End);
                await Sessions.EchoAsync(connection);
            }
        );
        using Socket client = await rig.ConnectAsync();
        (await connections.Task.WaitAsync(TransportRig.Patience)).Transport.Input.CancelPendingRead();
        Assert.True(await canceled.Task.WaitAsync(TransportRig.Patience));
        await client.SendAsync("on"u8.ToArray());
        Assert.Equal("on", Encoding.ASCII.GetString(await EchoTests.ReceiveAsync(client, 2)));
    }
}
