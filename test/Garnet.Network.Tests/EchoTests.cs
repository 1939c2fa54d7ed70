// Bytes are echoed unchanged, however they are split.
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;

namespace Garnet.Network.Tests;

public sealed class EchoTests
{
    public static TheoryData<string> AllTransports => Transports.All;

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Lines_are_echoed_completely_for_every_split(string transport)
    {
        await using TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoLinesAsync);
        byte[] text = Encoding.ASCII.GetBytes("first line\nsecond\n\nfourth, a little longer than the rest\n");
        using Socket client = await rig.ConnectAsync();
        for (int cut = 1; cut < text.Length; cut++)
        {
            await client.SendAsync(text.AsMemory(0, cut));
            // Only complete lines are echoed before the rest is sent.
            int whole = text.AsSpan(0, cut).LastIndexOf((byte)'\n') + 1;
            Assert.Equal(text[..whole], await ReceiveAsync(client, whole));
            await client.SendAsync(text.AsMemory(cut));
            Assert.Equal(text[whole..], await ReceiveAsync(client, text.Length - whole));
        }
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task Random_pieces_of_all_sizes_are_echoed_in_order(string transport)
    {
        int seed = TestSeed.ChooseAnew();
        var random = new Random(seed);
        await using TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync);
        using Socket client = await rig.ConnectAsync();
        byte[] bytes = new byte[4 * 1024 * 1024];
        random.NextBytes(bytes);
        var sending = Task.Run(async () =>
        {
            for (int sent = 0; sent < bytes.Length; )
            {
                int piece = Math.Min(bytes.Length - sent, 1 << random.Next(19));
                await client.SendAsync(bytes.AsMemory(sent, piece));
                sent += piece;
            }
        });
        byte[] back = await ReceiveAsync(client, bytes.Length);
        await sending;
        Assert.True(bytes.AsSpan().SequenceEqual(back), $"seed {seed}");
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_request_larger_than_every_buffer_arrives_in_one_segment(string transport)
    {
        await using TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoLinesAsync);
        using Socket client = await rig.ConnectAsync();
        byte[] line = new byte[3 * 1024 * 1024 + 1];
        new Random(1).NextBytes(line);
        line.AsSpan().Replace((byte)'\n', (byte)'x');
        line[^1] = (byte)'\n';
        Task<byte[]> receiving = ReceiveAsync(client, line.Length);
        await client.SendAsync(line);
        byte[] back = await receiving;
        Assert.True(line.AsSpan().SequenceEqual(back));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_thousand_connections_are_served_at_once(string transport)
    {
        await using TransportRig rig = await TransportRig.StartAsync(transport, Sessions.EchoAsync);
        var clients = new List<Socket>();
        for (int i = 0; i < 1000; i++)
            clients.Add(await rig.ConnectAsync());
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < clients.Count; i++)
                await clients[i].SendAsync(Encoding.ASCII.GetBytes($"round {round} client {i:d4}"));
            for (int i = 0; i < clients.Count; i++)
                Assert.Equal($"round {round} client {i:d4}", Encoding.ASCII.GetString(await ReceiveAsync(clients[i], 19)));
        }
        Assert.Equal(1000, rig.Transport.Statistics.Sum(thread => thread.Connections));
        Assert.All(rig.Transport.Statistics, thread => Assert.Equal(500, thread.Connections));
        foreach (Socket client in clients)
            client.Dispose();
        await TransportRig.UntilAsync(() => rig.Ended == 1000, "all sessions to end");
        Assert.Equal(0, rig.Transport.Statistics.Sum(thread => thread.Connections));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task IPv6_and_IPv4_work_on_the_same_port(string transport)
    {
        if (!Socket.OSSupportsIPv6)
            return;
        await using TransportRig first = await TransportRig.StartAsync(
            transport,
            Sessions.EchoAsync,
            endPoint: new IPEndPoint(IPAddress.Any, 0)
        );
        int port = ((IPEndPoint)first.EndPoint).Port;
        await using TransportRig second = await TransportRig.StartAsync(
            transport,
            Sessions.EchoAsync,
            endPoint: new IPEndPoint(IPAddress.IPv6Any, port)
        );
        using var client = new Socket(AddressFamily.InterNetworkV6, SocketType.Stream, ProtocolType.Tcp);
        await client.ConnectAsync(IPAddress.IPv6Loopback, port);
        await client.SendAsync("six"u8.ToArray());
        Assert.Equal("six", Encoding.ASCII.GetString(await ReceiveAsync(client, 3)));
    }

    [Theory]
    [MemberData(nameof(AllTransports))]
    public async Task A_connection_knows_both_its_ends(string transport)
    {
        var ends = new TaskCompletionSource<(EndPoint?, EndPoint?)>();
        await using TransportRig rig = await TransportRig.StartAsync(
            transport,
            connection =>
            {
                ends.SetResult((connection.LocalEndPoint, connection.RemoteEndPoint));
                return Task.CompletedTask;
            },
            endPoint: new IPEndPoint(IPAddress.Any, 0)
        );
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await client.ConnectAsync(IPAddress.Loopback, ((IPEndPoint)rig.EndPoint).Port);
        (EndPoint? local, EndPoint? remote) = await ends.Task.WaitAsync(TransportRig.Patience);
        Assert.Equal(client.RemoteEndPoint, local);
        Assert.Equal(client.LocalEndPoint, remote);
    }

    internal static async Task<byte[]> ReceiveAsync(Socket socket, int count)
    {
        byte[] bytes = new byte[count];
        for (int received = 0; received < count; )
        {
            int n = await socket.ReceiveAsync(bytes.AsMemory(received)).AsTask().WaitAsync(TransportRig.Patience);
            Assert.True(n > 0, $"The connection ended after {received} of {count} bytes.");
            received += n;
        }
        return bytes;
    }
}
