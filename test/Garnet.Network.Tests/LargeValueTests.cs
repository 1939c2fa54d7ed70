// Sending memory without copying, and receiving directly into memory.
using System.Buffers;
using System.Collections.Concurrent;
using System.IO.Pipelines;
using System.Runtime.InteropServices;
using System.Text;
using Garnet.Network.Features;
using Garnet.Testing;

namespace Garnet.Network.Tests;

public sealed class LargeValueTests : IDisposable
{
    private const int ValueBytes = 3 * 1024 * 1024 + 17;

    private readonly nint _value = Marshal.AllocHGlobal(ValueBytes);

    public LargeValueTests() => new Random(3).NextBytes(Value);

    public static TheoryData<string> AllTransports => Transports.All;

    private unsafe Span<byte> Value => new((void*)_value, ValueBytes);

    public void Dispose() => Marshal.FreeHGlobal(_value);

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Referenced_blocks_arrive_in_order_with_written_bytes_and_are_released_once(string transport)
    {
        const int Rounds = 5;
        var owner = new CountingOwner();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                PipeWriter output = connection.Transport.Output;
                IReferencedSend send = connection.GetReferencedSend();
                await connection.Transport.Input.ReadAsync();
                for (int i = 0; i < Rounds; i++)
                {
                    output.Write(Encoding.ASCII.GetBytes($"<{i}>"));
                    send.SendReferenced(Address(0), ValueBytes, owner, i * 10);
                    send.SendReferenced(Address(5), 0, owner, i * 10 + 1);
                    send.SendReferenced(Address(ValueBytes - 7), 7, owner, i * 10 + 2);
                    output.Write("|"u8);
                }
                await output.FlushAsync();
                await connection.Features.Get<IOutputBacklog>()!.DrainAsync();
                Assert.Equal(Rounds * 3, owner.Released.Count);
            }
        );
        using System.Net.Sockets.Socket client = await rig.ConnectAsync();
        await client.SendAsync(new byte[1]);
        for (int i = 0; i < Rounds; i++)
        {
            byte[] received = await EchoTests.ReceiveAsync(client, 3 + ValueBytes + 7 + 1);
            Check(received, i);
        }
        Assert.Equal(0, await client.ReceiveAsync(new byte[1]).WaitAsync(TransportRig.Patience));
        Assert.All(owner.Released, released => Assert.Equal(1, released.Value));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task An_aborted_connection_releases_its_blocks(string transport)
    {
        var owner = new CountingOwner();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            async connection =>
            {
                ReadResult read = await connection.Transport.Input.ReadAsync();
                connection.Transport.Input.AdvanceTo(read.Buffer.End);
                IReferencedSend send = connection.GetReferencedSend();
                for (int i = 0; i < 20; i++)
                    send.SendReferenced(Address(0), ValueBytes, owner, i);
                await connection.Transport.Output.FlushAsync();
                connection.Abort();
                Assert.True((await connection.Transport.Input.ReadAsync()).IsCompleted);
                // The connection is already closed, and the reference is still released.
                send.SendReferenced(Address(0), ValueBytes, owner, 20);
                Assert.True((await connection.Transport.Output.FlushAsync()).IsCompleted);
                send.SendReferenced(Address(0), ValueBytes, owner, 21); // never flushed: released when the connection ends
            }
        );
        using System.Net.Sockets.Socket client = await rig.ConnectAsync();
        await client.SendAsync(new byte[1]);
        await TransportRig.UntilAsync(() => rig.Ended == 1, "the session to end");
        Assert.Equal(Enumerable.Range(0, 22).Select(i => (nint)i), owner.Released.Keys.Order());
        Assert.All(owner.Released, released => Assert.Equal(1, released.Value));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_value_is_received_directly_into_its_memory_and_the_next_request_follows(string transport)
    {
        nint place = Marshal.AllocHGlobal(ValueBytes + 8);
        await using (
            TransportRig rig = await TransportRig.StartAsync(
                transport,
                async connection =>
                {
                    (PipeReader input, PipeWriter output) = (connection.Transport.Input, connection.Transport.Output);
                    IDirectReceive direct = connection.GetDirectReceive();
                    while (true)
                    {
                        // A request is one letter; 'V' is followed by the value.
                        ReadResult read = await input.ReadAsync();
                        if (read.Buffer.IsEmpty && read.IsCompleted)
                            return;
                        byte letter = read.Buffer.FirstSpan[0];
                        input.AdvanceTo(read.Buffer.GetPosition(1));
                        Sessions.AssertOnOwner(connection);
                        if (letter != 'V')
                        {
                            output.Write([letter]);
                            await output.FlushAsync();
                            continue;
                        }
                        long got = await direct.ReceiveAsync(place, ValueBytes);
                        Sessions.AssertOnOwner(connection);
                        Assert.Equal(ValueBytes, got);
                        output.Write(IsValue(place) ? "+"u8 : "-"u8);
                        await output.FlushAsync();
                    }
                }
            )
        )
        {
            using System.Net.Sockets.Socket client = await rig.ConnectAsync();
            int seed = TestSeed.Choose(1);
            var random = new Random(seed);
            for (int round = 0; round < 8; round++)
            {
                Clear(place);
                byte[] stream = [(byte)'a', (byte)'V', .. Value.ToArray(), (byte)'b'];
                for (int sent = 0; sent < stream.Length; )
                {
                    int piece = Math.Min(stream.Length - sent, 1 + random.Next(1 << random.Next(1, 22)));
                    await client.SendAsync(stream.AsMemory(sent, piece)).AsTask().WaitAsync(TransportRig.Patience);
                    sent += piece;
                }
                Assert.Equal("a+b", Encoding.ASCII.GetString(await EchoTests.ReceiveAsync(client, 3)));
                Assert.Equal(0, Marshal.ReadInt64(place + ValueBytes));
            }
        }
        Marshal.FreeHGlobal(place);
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_value_cut_short_reports_what_arrived(string transport)
    {
        nint place = Marshal.AllocHGlobal(ValueBytes);
        var result = new TaskCompletionSource<long>();
        await using (
            TransportRig rig = await TransportRig.StartAsync(
                transport,
                async connection => result.SetResult(await connection.GetDirectReceive().ReceiveAsync(place, ValueBytes))
            )
        )
        {
            System.Net.Sockets.Socket client = await rig.ConnectAsync();
            await client.SendAsync(new byte[100_000]);
            client.Dispose();
            Assert.Equal(100_000, await result.Task.WaitAsync(TransportRig.Patience));
        }
        Marshal.FreeHGlobal(place);
    }

    [Fact]
    public async Task On_other_transports_large_values_are_copied()
    {
        var pipe = new System.IO.Pipelines.Pipe();
        var owner = new CountingOwner();
        new CopyingSend(pipe.Writer).SendReferenced(Address(0), 1000, owner, 1);
        Assert.Equal(1, owner.Released[1]);
        await pipe.Writer.FlushAsync();
        await pipe.Writer.CompleteAsync();
        nint place = Marshal.AllocHGlobal(2000);
        Assert.Equal(600, await new CopyingReceive(pipe.Reader).ReceiveAsync(place, 600));
        Assert.Equal(400, await new CopyingReceive(pipe.Reader).ReceiveAsync(place + 600, 1400));
        Assert.True(StartsWithValue(place, 1000));
        Marshal.FreeHGlobal(place);
    }

    private nint Address(int offset) => _value + offset;

    private bool IsValue(nint place) => StartsWithValue(place, ValueBytes);

    private static unsafe void Clear(nint place) => new Span<byte>((void*)place, ValueBytes + 8).Clear();

    private unsafe bool StartsWithValue(nint place, int length) => new Span<byte>((void*)place, length).SequenceEqual(Value[..length]);

    private void Check(byte[] received, int round)
    {
        Assert.Equal($"<{round}>", Encoding.ASCII.GetString(received, 0, 3));
        Assert.True(received.AsSpan(3, ValueBytes).SequenceEqual(Value));
        Assert.True(received.AsSpan(3 + ValueBytes, 7).SequenceEqual(Value[^7..]));
        Assert.Equal((byte)'|', received[^1]);
    }

    private sealed class CountingOwner : ISendOwner
    {
        internal ConcurrentDictionary<nint, int> Released { get; } = new();

        public void Release(nint token) => Released.AddOrUpdate(token, 1, (_, count) => count + 1);
    }
}
