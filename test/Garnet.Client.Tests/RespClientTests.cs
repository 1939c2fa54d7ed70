// The client over a stream in memory and over loopback sockets.
using System.Net;
using System.Net.Sockets;
using System.Text;
using Xunit;

namespace Garnet.Client.Tests;

public sealed class RespClientTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(int.MaxValue)]
    public async Task A_call_sends_the_request_and_reads_the_reply(int pieceBytes)
    {
        var stream = new ScriptedStream("+OK\r\n$5\r\nvalue\r\n"u8.ToArray(), pieceBytes);
        await using var client = new RespClient(stream);
        Assert.Equal("+OK", (await client.CallAsync("SET", "k", "é")).ToString());
        Assert.Equal("\"value\"", (await client.CallAsync("GET"u8.ToArray(), new byte[] { 0, 255 })).ToString());
        Assert.Equal(
            "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$2\r\n\u00c3\u00a9\r\n*2\r\n$3\r\nGET\r\n$2\r\n\0\u00ff\r\n",
            Encoding.Latin1.GetString(stream.Sent.ToArray())
        );
        await Assert.ThrowsAsync<EndOfStreamException>(() => client.CallAsync("PING"));
    }

    [Fact]
    public async Task Pipelined_requests_are_answered_in_order()
    {
        byte[] replies = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Range(0, 1000).Select(i => $":{i}\r\n")));
        await using var client = new RespClient(new ScriptedStream(replies, 100));
        for (int i = 0; i < 1000; i++)
            client.Append("INCR", "k");
        await client.FlushAsync();
        for (int i = 0; i < 1000; i++)
            Assert.Equal(i, (await client.ReadAsync()).Integer);
    }

    [Fact]
    public async Task Push_messages_do_not_answer_calls()
    {
        var pushed = new List<string>();
        await using var client = new RespClient(new ScriptedStream(">1\r\n+a\r\n+OK\r\n>1\r\n+b\r\n"u8.ToArray()))
        {
            OnPush = value => pushed.Add(value.ToString()),
        };
        Assert.Equal("+OK", (await client.CallAsync("PING")).ToString());
        Assert.Equal([">[+a]"], pushed);
        Assert.Equal(RespKind.Push, (await client.ReadAsync()).Kind);
    }

    [Fact]
    public async Task Large_values_arrive_whole_in_small_pieces()
    {
        byte[] payload = new byte[3_000_000];
        new Random(5).NextBytes(payload);
        byte[] reply = [.. "+first\r\n$3000000\r\n"u8, .. payload, .. "\r\n+last\r\n"u8];
        await using var client = new RespClient(new ScriptedStream(reply, 10_007));
        Assert.Equal("first", (await client.ReadAsync()).Text);
        Assert.Equal(payload, (await client.ReadAsync()).Bytes.ToArray());
        Assert.Equal("last", (await client.ReadAsync()).Text);
    }

    [Fact]
    public async Task What_large_requests_and_replies_needed_is_given_back_and_bytes_are_counted()
    {
        byte[] reply = Encoding.ASCII.GetBytes($"$300000\r\n{new string('x', 300_000)}\r\n+OK\r\n");
        long received = 0;
        await using var client = new RespClient(new ScriptedStream(reply, 10_007)) { Received = bytes => received += bytes };
        Assert.Equal(300_000, (await client.CallAsync("ECHO", new string('x', 300_000))).Bytes.Length);
        Assert.InRange(client.BufferBytes, 300_000, int.MaxValue);
        Assert.Equal("OK", (await client.CallAsync("PING")).Text);
        client.TrimBuffers();
        Assert.InRange(client.BufferBytes, 0, 16 * 1024);
        Assert.Equal(reply.Length, received);
    }

    [Fact]
    public async Task A_reply_that_does_not_come_times_out()
    {
        await using var client = new RespClient(new ScriptedStream("+O"u8.ToArray(), hangs: true))
        {
            ReplyTimeout = TimeSpan.FromMilliseconds(20),
        };
        await Assert.ThrowsAsync<TimeoutException>(() => client.CallAsync("PING"));
    }

    [Fact]
    public async Task Raw_bytes_pass_both_ways()
    {
        var stream = new ScriptedStream("+OK\r\nrest"u8.ToArray());
        await using var client = new RespClient(stream);
        await client.SendRawAsync("PING\r\n");
        Assert.Equal("OK", (await client.ReadAsync()).Text);
        byte[] buffer = new byte[100];
        int length = await client.ReadRawAsync(buffer);
        Assert.Equal("rest", Encoding.ASCII.GetString(buffer, 0, length));
        Assert.Equal(0, await client.ReadRawAsync(buffer));
        Assert.Equal("PING\r\n", Encoding.ASCII.GetString(stream.Sent.ToArray()));
    }

    [Fact]
    public async Task It_connects_over_TCP_and_Unix_sockets()
    {
        string path = Path.Combine(Path.GetTempPath(), $"garnet-client-{Guid.NewGuid():N}.sock");
        foreach (EndPoint endPoint in (EndPoint[])[new IPEndPoint(IPAddress.Loopback, 0), new UnixDomainSocketEndPoint(path)])
        {
            using var listener = new Socket(
                endPoint.AddressFamily,
                SocketType.Stream,
                endPoint is IPEndPoint ? ProtocolType.Tcp : ProtocolType.Unspecified
            );
            listener.Bind(endPoint);
            listener.Listen();
            using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(30));
            Task<RespClient> connecting = listener.LocalEndPoint is IPEndPoint bound
                ? RespClient.ConnectAsync("127.0.0.1", bound.Port, limit.Token)
                : RespClient.ConnectUnixAsync(path, limit.Token);
            using Socket peer = await listener.AcceptAsync(limit.Token);
            await using RespClient client = await connecting;
            await peer.SendAsync("+PONG\r\n"u8.ToArray(), limit.Token);
            Assert.Equal("PONG", (await client.CallAsync("PING")).Text);
        }
        File.Delete(path);
    }
}
