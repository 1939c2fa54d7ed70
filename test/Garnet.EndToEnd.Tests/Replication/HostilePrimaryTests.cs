// Primaries that send damaged snapshots and streams, or nothing but empty lines: the replica stays alive and serves all or nothing.
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class HostilePrimaryTests(ITestOutputHelper output) : IDisposable
{
    private const string Handshake = "+PONG\r\n+OK\r\n+OK\r\n+OK\r\n";

    // Of a replica that has no port to announce.
    private const string ShortHandshake = "+PONG\r\n+OK\r\n+OK\r\n";
    private const string Stream =
        "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*3\r\n$3\r\nSET\r\n$3\r\nnew\r\n$1\r\n1\r\n*1\r\n$5\r\nMULTI\r\n"
        + "*3\r\n$3\r\nSET\r\n$5\r\nnewer\r\n$1\r\n1\r\n*4\r\n$5\r\nRPUSH\r\n$6\r\nnewest\r\n$1\r\n1\r\n$1\r\n2\r\n*1\r\n$4\r\nEXEC\r\n";

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly ReplicationNode _replica = ReplicationNode.Start(ReplicationNode.Ours);

    public void Dispose()
    {
        _listener.Dispose();
        _replica.Dispose();
    }

    [Fact]
    public void Damaged_snapshots_and_streams_leave_all_or_nothing()
    {
        int seed = TestSeed.ChooseAnew(output);
        Random random = new(seed);
        byte[] good = [.. Encoding.ASCII.GetBytes(Handshake), .. Capture(seed, out long keys), .. Encoding.ASCII.GetBytes(Stream)];
        _listener.Start();
        int loaded = 0;
        for (int round = FaultScale.Count(20, 20_000); round > 0; round--)
        {
            byte[] bytes = round % 10 == 0 ? good : Damage(good, random);
            Follow();
            Serve(bytes);
            Assert.Equal("+OK\r\n", _replica.Call("REPLICAOF", "NO", "ONE"));
            long count = long.Parse(_replica.Call("DBSIZE")[1..], CultureInfo.InvariantCulture);
            Assert.True(count == 0 || count >= keys, $"{count} of {keys} keys are left");
            loaded += count == 0 ? 0 : 1;
            if (random.Next(2) == 0)
                Assert.Equal("+OK\r\n", _replica.Call("FLUSHALL"));
        }

        output.WriteLine($"{loaded} with data");
        Assert.NotEqual(0, loaded);
    }

    [Theory]
    [InlineData("")]
    [InlineData(ShortHandshake)]
    [InlineData(ShortHandshake + "+FULLRESYNC 0123456789abcdef0123456789abcdef01234567 100\r\n")]
    public void Endless_empty_lines_cost_no_memory_and_can_be_left(string before)
    {
        _listener.Start();
        // A process of its own: its heap has nothing of other tests.
        using FaultTarget replica = new("epoll");
        using RespExchange client = replica.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("REPLICAOF", "127.0.0.1", PortText));
        using Socket socket = _listener.AcceptSocket();
        socket.Send(Encoding.ASCII.GetBytes(before));
        byte[] lines = new byte[64 * 1024];
        lines.AsSpan().Fill((byte)'\n');
        long memory = client.ManagedHeapBytes();
        for (int i = 0; i < FaultScale.Count(200, 20_000); i++)
            socket.Send(lines);
        Assert.InRange(client.ManagedHeapBytes() - memory, long.MinValue, 4 << 20);
        Assert.Equal("+OK\r\n", client.ExecuteText("REPLICAOF", "NO", "ONE"));
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "a", "1"));
    }

    private string PortText => ((IPEndPoint)_listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);

    private void Follow() => Assert.Equal("+OK\r\n", _replica.Call("REPLICAOF", "127.0.0.1", PortText));

    // Until the replica closes the connection, having dealt with everything.
    private void Serve(byte[] bytes)
    {
        using Socket socket = _listener.AcceptSocket();
        var sending = Task.Run(() =>
        {
            try
            {
                for (int sent = 0; sent < bytes.Length; )
                    sent += socket.Send(bytes.AsSpan(sent));
                socket.Shutdown(SocketShutdown.Send);
            }
            catch (SocketException)
            {
                // It has seen enough.
            }
        });
        byte[] dropped = new byte[4096];
        try
        {
            while (socket.Receive(dropped) > 0) { }
        }
        catch (SocketException)
        {
            // Closed with bytes unread.
        }

        sending.GetAwaiter().GetResult();
    }

    private static byte[] Damage(byte[] good, Random random)
    {
        byte[] bytes = [.. good];
        int at = random.Next(Handshake.Length, bytes.Length);
        switch (random.Next(5))
        {
            case 0:
                return bytes[..at];
            case 1:
                return [.. bytes[..at], .. bytes[random.Next(Handshake.Length, bytes.Length)..]];
            case 2:
                byte[] inserted = new byte[random.Next(1, 100)];
                random.NextBytes(inserted);
                return [.. bytes[..at], .. inserted, .. bytes[at..]];
            default:
                for (int i = random.Next(1, 4); i > 0; i--)
                    bytes[random.Next(Handshake.Length, bytes.Length)] ^= (byte)(1 << random.Next(8));
                return bytes;
        }
    }

    // What a real primary answers to PSYNC, up to the end of its snapshot.
    private static byte[] Capture(int seed, out long keys)
    {
        using var primary = ReplicationNode.Start(ReplicationNode.Ours);
        using (RespExchange client = primary.Connect())
        {
            new ReplicatedHistory(seed).Run(client, 300);
            client.Execute("FLUSHALL");
            client.Execute("SELECT", "0");
            foreach (string key in new[] { "a", "b", "c", "d" })
            {
                client.Execute("SET", key, "1");
                client.Execute("HSET", "h" + key, "f", new string('x', 300), "g", "2");
                client.Execute("ZADD", "z" + key, "1", "m");
                client.Execute("XADD", "x" + key, "1-1", "f", "v");
            }
        }

        keys = long.Parse(primary.Call("DBSIZE")[1..], CultureInfo.InvariantCulture);
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 120_000 };
        socket.Connect(IPAddress.Loopback, primary.Port);
        socket.Send("*3\r\n$8\r\nREPLCONF\r\n$4\r\ncapa\r\n$3\r\neof\r\n*3\r\n$5\r\nPSYNC\r\n$1\r\n?\r\n$2\r\n-1\r\n"u8);
        List<byte> received = [];
        byte[] buffer = new byte[64 * 1024];
        while (true)
        {
            received.AddRange(buffer.AsSpan(0, socket.Receive(buffer)));
            string text = Encoding.Latin1.GetString([.. received]);
            int mark = text.IndexOf("$EOF:", StringComparison.Ordinal);
            if (mark < 0 || text.Length < mark + 45 + 2 + 40 || !text.EndsWith(text.Substring(mark + 5, 40), StringComparison.Ordinal))
                continue;
            // With its length instead of the mark, so that the stream may follow at once.
            string snapshot = text[(mark + 47)..^40];
            string answer = text[text.IndexOf("+FULLRESYNC", StringComparison.Ordinal)..mark].TrimEnd('\n', '\r');
            return Encoding.Latin1.GetBytes($"{answer}\r\n${snapshot.Length}\r\n{snapshot}");
        }
    }
}
