// A connection that many share: lost, refused, late, cancelled. Loopback and ports of the system's choice only.
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.Client.Tests;

public sealed class RespMultiplexerTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task Replies_reach_the_callers_that_asked_for_them()
    {
        using var server = TestServer.Start();
        await using RespMultiplexer client = new(
            new RespMultiplexerOptions
            {
                EndPoint = server.EndPoint,
                ClientName = "shared",
                Database = 3,
                ReplyTimeout = Patience,
            }
        );
        Task[] callers =
        [
            .. Enumerable
                .Range(0, 100)
                .Select(async id =>
                {
                    for (int i = 0; i < 20; i++)
                    {
                        string text = $"{id}/{i}" + new string('x', id * 100);
                        Assert.Equal(text, (await client.CallAsync("ECHO", text)).Text);
                    }
                }),
        ];
        await Task.WhenAll(callers).WaitAsync(Patience);
        Assert.Equal("shared", (await client.CallAsync("CLIENT", "GETNAME")).Text);
        Assert.Contains(" db=3 ", (await client.CallAsync("CLIENT", "INFO")).Text, StringComparison.Ordinal);
        Assert.True((await client.TryCallAsync("NOSUCH")).IsError);
        GarnetCommandException thrown = await Assert.ThrowsAsync<GarnetCommandException>(() => client.CallAsync("NOSUCH"));
        Assert.Equal(("ERR", true), (thrown.Code, thrown.Message.StartsWith("ERR unknown command 'NOSUCH'", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_lost_connection_fails_its_calls_and_is_replaced()
    {
        using var server = TestServer.Start();
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = server.EndPoint });
        await client.CallAsync("PING").WaitAsync(Patience);
        Task<RespValue> waiting = client.CallAsync("BLPOP", "l", "0");
        using RespExchange other = server.Connect();
        other.ExecuteText("CLIENT", "KILL", "SKIPME", "yes", "TYPE", "normal");
        await Assert.ThrowsAsync<RespConnectionException>(() => waiting.WaitAsync(Patience));
        Assert.Equal("PONG", (await client.CallAsync("PING").WaitAsync(Patience)).Text);
    }

    [Fact]
    public async Task A_server_that_does_not_answer_is_abandoned()
    {
        using Socket listener = Listen();
        await using RespMultiplexer client = new(
            new RespMultiplexerOptions { EndPoint = listener.LocalEndPoint!, ReplyTimeout = TimeSpan.FromMilliseconds(300) }
        );
        await Assert.ThrowsAsync<TimeoutException>(() => client.CallAsync("PING").WaitAsync(Patience));
    }

    [Fact]
    public async Task A_cancelled_call_leaves_the_others_their_replies()
    {
        using Socket listener = Listen();
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = listener.LocalEndPoint! });
        using CancellationTokenSource stop = new();
        Task<RespValue> first = client.CallAsync([Bytes("GET"), Bytes("a")], stop.Token);
        using Socket peer = await listener.AcceptAsync().WaitAsync(Patience);
        // The request is there, so the connection stands and the next call goes out behind it.
        byte[] received = new byte[100];
        await peer.ReceiveAsync(received).WaitAsync(Patience);
        Task<RespValue> second = client.CallAsync("GET", "b");
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.WaitAsync(Patience));
        await peer.SendAsync(Bytes("$1\r\nA\r\n$1\r\nB\r\n")).WaitAsync(Patience);
        Assert.Equal("B", (await second.WaitAsync(Patience)).Text);
    }

    [Fact]
    public async Task Calls_that_are_sent_together_get_their_replies_together()
    {
        using var server = TestServer.Start();
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = server.EndPoint });
        for (int i = 0; i < 2; i++)
        {
            // Not connected yet the first time.
            Task<RespValue[]> batch = client.CallAllAsync([
                [Bytes("ECHO"), Bytes("a")],
                [Bytes("ECHO"), Bytes("b")],
            ]);
            Task<RespValue> single = client.CallAsync("ECHO", "c");
            Assert.Equal(["a", "b"], (await batch.WaitAsync(Patience)).Select(static reply => reply.Text));
            Assert.Equal("c", (await single.WaitAsync(Patience)).Text);
        }

        // An error does not take the replies of those behind it.
        Task<RespValue[]> wrong = client.CallAllAsync([
            [Bytes("NOSUCH")],
            [Bytes("ECHO"), Bytes("b")],
        ]);
        Task<RespValue> next = client.CallAsync("ECHO", "d");
        Assert.Equal("ERR", (await Assert.ThrowsAsync<GarnetCommandException>(() => wrong.WaitAsync(Patience))).Code);
        Assert.Equal("d", (await next.WaitAsync(Patience)).Text);
    }

    [Fact]
    public async Task Calls_that_are_sent_together_are_lost_together()
    {
        using Socket listener = Listen();
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = listener.LocalEndPoint! });
        Task<RespValue[]> batch = client.CallAllAsync([
            [Bytes("GET"), Bytes("a")],
            [Bytes("GET"), Bytes("b")],
        ]);
        Socket peer = await listener.AcceptAsync().WaitAsync(Patience);
        await peer.SendAsync(Bytes("$1\r\nA\r\n")).WaitAsync(Patience);
        peer.Dispose();
        await Assert.ThrowsAsync<RespConnectionException>(() => batch.WaitAsync(Patience));
    }

    [Fact]
    public async Task A_missing_server_and_a_wrong_password_are_reported()
    {
        EndPoint gone;
        using (Socket listener = Listen())
            gone = listener.LocalEndPoint!;
        await using (RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = gone }))
        {
            RespConnectionException error = await Assert.ThrowsAsync<RespConnectionException>(() =>
                client.CallAsync("PING").WaitAsync(Patience)
            );
            Assert.StartsWith($"No connection to {gone}: ", error.Message, StringComparison.Ordinal);
        }

        using var server = TestServer.Start(options => options.Password = "right");
        await using RespMultiplexer wrong = new(new RespMultiplexerOptions { EndPoint = server.EndPoint, Password = "wrong" });
        Assert.Contains(
            "AUTH was refused: WRONGPASS",
            (await Assert.ThrowsAsync<RespConnectionException>(() => wrong.CallAsync("PING").WaitAsync(Patience))).Message,
            StringComparison.Ordinal
        );
        await using RespMultiplexer right = new(new RespMultiplexerOptions { EndPoint = server.EndPoint, Password = "right" });
        Assert.Equal("PONG", (await right.CallAsync("PING").WaitAsync(Patience)).Text);
    }

    [Fact]
    public async Task The_connection_can_be_wrapped_and_is_not_called_after_its_end()
    {
        using var server = TestServer.Start();
        bool isWrapped = false;
        RespMultiplexer client = new(
            new RespMultiplexerOptions
            {
                EndPoint = server.EndPoint,
                StreamFilter = (stream, _) =>
                {
                    isWrapped = true;
                    return ValueTask.FromResult(stream);
                },
            }
        );
        Assert.Equal("PONG", (await client.CallAsync("PING").WaitAsync(Patience)).Text);
        Assert.True(isWrapped);
        await client.DisposeAsync();
        await Assert.ThrowsAnyAsync<Exception>(() => client.CallAsync("PING").WaitAsync(Patience));
        await client.DisposeAsync();
    }

    [Fact]
    public async Task Callers_wait_while_too_much_is_unsent()
    {
        using var server = TestServer.Start();
        await using RespMultiplexer client = new(new RespMultiplexerOptions { EndPoint = server.EndPoint, MaxUnsentBytes = 1000 });
        string value = new('x', 5000);
        Task<RespValue>[] calls = [.. Enumerable.Range(0, 500).Select(i => client.CallAsync("SET", "k" + i, value))];
        foreach (Task<RespValue> call in calls)
            Assert.Equal("OK", (await call.WaitAsync(Patience)).Text);
        Assert.Equal(500, (await client.CallAsync("DBSIZE")).Integer);
    }

    private static byte[] Bytes(string text) => Encoding.ASCII.GetBytes(text);

    private static Socket Listen()
    {
        Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        return listener;
    }
}
