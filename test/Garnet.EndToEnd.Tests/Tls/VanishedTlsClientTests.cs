// TLS clients that disconnect while one of their commands waits, followed by more than the system's buffers hold.
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Tls;

public sealed class VanishedTlsClientTests
{
    [Theory]
    [InlineData(TransportKind.Epoll, false)]
    [InlineData(TransportKind.Epoll, true)]
    [InlineData(TransportKind.Sockets, false)]
    [InlineData(TransportKind.Sockets, true)]
    public async Task Nothing_is_popped_for_a_client_that_has_gone(TransportKind transport, bool cuts)
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync((options, _) => options.Transport = transport);
        using var other = RespExchange.Connect(server.PlainEndPoint);
        using (TlsClient client = server.Connect())
        {
            // From here on it is registered as a client.
            Assert.Equal("+PONG", client.Execute("PING"));
            client.Stream.Write("BLPOP list 0\r\n"u8);
            client.Stream.Write(FaultTarget.Pipeline(15_000, "PING"));
            if (cuts)
                client.Cut();
        }

        FaultTarget.Await(() => Clients(other) == 1, () => other.ExecuteText("CLIENT", "LIST"));
        Assert.Equal(":1\r\n", other.ExecuteText("RPUSH", "list", "value"));
        Assert.Equal("*1\r\n$5\r\nvalue\r\n", other.ExecuteText("LRANGE", "list", "0", "-1"));
    }

    [Theory]
    [InlineData(TransportKind.Epoll)]
    [InlineData(TransportKind.Sockets)]
    public async Task Requests_pipelined_after_a_blocked_command_are_executed_after_it(TransportKind transport)
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync((options, _) => options.Transport = transport);
        using TlsClient client = server.Connect();
        byte[] large = new byte[100_000];
        client.Stream.Write("BLPOP list 0\r\n"u8);
        client.Stream.Write(RespExchange.Encode([.. new byte[][] { "SET"u8.ToArray(), "large"u8.ToArray(), large }]));
        client.Stream.Write("STRLEN large\r\n"u8);
        using var other = RespExchange.Connect(server.PlainEndPoint);
        FaultTarget.Await(
            () => other.ExecuteText("CLIENT", "LIST").Contains("qbuf=100049", StringComparison.Ordinal),
            () => other.ExecuteText("CLIENT", "LIST")
        );
        Assert.Equal(":1\r\n", other.ExecuteText("RPUSH", "list", "value"));
        Assert.Equal("*2", client.ReadReply());
        Assert.Equal("list", client.ReadReply());
        Assert.Equal("value", client.ReadReply());
        Assert.Equal("+OK", client.ReadReply());
        Assert.Equal(":100000", client.ReadReply());
    }

    private static int Clients(RespExchange client) =>
        Encoding
            .UTF8.GetString(client.Execute("CLIENT", "LIST")!)
            .Split('\n')
            .Count(line => line.StartsWith("id=", StringComparison.Ordinal));
}
