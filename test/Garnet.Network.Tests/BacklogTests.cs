// A peer that does not read: replies queue in the writer, and the session continues.
using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;
using Garnet.Network.Buffers;
using Garnet.Network.Connections;
using Garnet.Network.Features;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network.Tests;

[Collection(Alone.Name)]
public sealed class BacklogTests
{
    private const int ReplyBytes = 1024;

    public static TheoryData<string> AllTransports => Transports.All;

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_long_pipeline_is_read_although_the_client_reads_nothing_before_its_end(string transport)
    {
        const int Requests = 40_000;
        long peak = 0;
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                (PipeReader input, PipeWriter output) = (connection.Transport.Input, connection.Transport.Output);
                IOutputBacklog backlog = connection.Features.Get<IOutputBacklog>()!;
                while (true)
                {
                    ReadResult read = await input.ReadAsync();
                    for (long i = 0L; i < read.Buffer.Length; i++)
                        WriteReply(output);
                    input.AdvanceTo(read.Buffer.End);
                    await output.FlushAsync();
                    Sessions.AssertOnOwner(connection);
                    peak = Math.Max(peak, backlog.UnsentBytes);
                    if (read.IsCompleted)
                        return;
                }
            }
        );
        using Socket client = await rig.ConnectAsync(receiveBuffer: 8 * 1024);
        for (int i = 0; i < Requests / 1000; i++)
            await client.SendAsync(new byte[1000]).WaitAsync(TransportRig.Patience);
        byte[] replies = await EchoTests.ReceiveAsync(client, Requests * ReplyBytes);
        for (int i = 0; i < replies.Length; i++)
        {
            if (replies[i] != (byte)(i % ReplyBytes))
                Assert.Fail($"Byte {i} is {replies[i]}.");
        }
        Assert.InRange(peak, 1024 * 1024, Requests * ReplyBytes);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Small_replies_to_a_slow_reader_share_their_blocks(string transport)
    {
        const int Flushes = 20_000;
        var filled = new TaskCompletionSource<(long Unsent, long Native)>();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                await connection.Transport.Input.ReadAsync();
                PipeWriter output = connection.Transport.Output;
                IOutputBacklog backlog = connection.Features.Get<IOutputBacklog>()!;
                BlockPool blocks = ((StreamConnection)connection).Blocks;
                long before = blocks.AllocatedBytes;
                // Fills the kernel's buffers first, then writes many small batches.
                output.Write(new byte[16 * 1024 * 1024]);
                await output.FlushAsync();
                for (int i = 0; i < Flushes; i++)
                {
                    output.Write(new byte[20]);
                    await output.FlushAsync();
                }
                filled.SetResult((backlog.UnsentBytes, blocks.AllocatedBytes - before));
                await backlog.DrainAsync();
                Sessions.AssertOnOwner(connection);
                Assert.Equal(0, backlog.UnsentBytes);
            }
        );
        using Socket client = await rig.ConnectAsync(receiveBuffer: 8 * 1024);
        await client.SendAsync(new byte[1]);
        (long unsent, long native) = await filled.Task.WaitAsync(TransportRig.Patience);
        Assert.InRange(unsent, Flushes * 20, 17 * 1024 * 1024);
        // One block for the 16 MiB, a few for 400 KB: not 16 KiB for each of 20,000 flushes.
        Assert.InRange(native, 0, 24 * 1024 * 1024);
        await EchoTests.ReceiveAsync(client, 16 * 1024 * 1024 + Flushes * 20);
        Assert.Equal(0, await client.ReceiveAsync(new byte[1]).WaitAsync(TransportRig.Patience));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Small_replies_of_very_many_connections_do_not_each_keep_a_block(string transport)
    {
        const int Connections = 400;
        List<ConnectionContext> waiting = [];
        var sent = new TaskCompletionSource<long>();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                await connection.Transport.Input.ReadAsync();
                // All on the one thread, so this needs no lock.
                waiting.Add(connection);
                if (waiting.Count < Connections)
                {
                    await sent.Task;
                    return;
                }

                BlockPool blocks = ((StreamConnection)connection).Blocks;
                long before = blocks.AllocatedBytes;
                foreach (ConnectionContext each in waiting)
                {
                    each.Transport.Output.Write(new byte[20]);
                    await each.Transport.Output.FlushAsync();
                }
                sent.SetResult(blocks.AllocatedBytes - before);
            },
            new TransportOptions { IoThreads = 1 }
        );
        List<Socket> clients = [];
        for (int i = 0; i < Connections; i++)
            clients.Add(await rig.ConnectAsync());
        foreach (Socket client in clients)
            await client.SendAsync(new byte[1]);
        // 16 KiB for each of 400 connections would be 6.5 MB.
        Assert.InRange(await sent.Task.WaitAsync(TransportRig.Patience), 0, 3_000_000);
        foreach (Socket client in clients)
        {
            await EchoTests.ReceiveAsync(client, 20);
            client.Dispose();
        }
    }

    private static void WriteReply(System.IO.Pipelines.PipeWriter output)
    {
        Span<byte> span = output.GetSpan(ReplyBytes);
        for (int i = 0; i < ReplyBytes; i++)
            span[i] = (byte)i;
        output.Advance(ReplyBytes);
    }
}
