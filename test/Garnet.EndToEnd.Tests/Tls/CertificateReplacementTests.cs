// Certificates replaced at run time, and connections that break. Each test has its own server.
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Tls;

public sealed class CertificateReplacementTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task Replacing_the_certificate_under_load_drops_no_connection()
    {
        int replacements = FaultScale.Count(60, 1000);
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        using var stop = new CancellationTokenSource();
        Task<long>[] load =
        [
            .. Enumerable.Range(0, 4).Select(number => Task.Run(() => Load(server, number, stop.Token))),
            .. Enumerable.Range(0, 2).Select(_ => Task.Run(() => Arrive(server, stop.Token))),
        ];
        using TlsClient admin = server.Connect();
        for (int i = 0; i < replacements; i++)
        {
            string serial = server.Certificates.WriteServer(rsa: i % 10 == 0);
            Assert.Equal(
                "+OK",
                admin.Execute("CONFIG", "SET", "tls-cert-file", server.Certificates.CertFile, "tls-key-file", server.Certificates.KeyFile)
            );
            using TlsClient fresh = server.Connect();
            Assert.Equal(serial, fresh.ServerSerial);
            Assert.Equal("+PONG", fresh.Execute("PING"));
        }

        await stop.CancelAsync();
        foreach (Task<long> client in load)
            Assert.True(await client > replacements / 10, "A client of the load stood still.");
        Assert.Equal(
            0,
            server
                .Server.Metrics.ReadAll()
                .Single(static read => read.Metric.Name == "garnet.tls.handshakes")
                .Samples.Single(static sample => sample.Labels.Any(static label => label.Value == "failed"))
                .Value
        );
    }

    [Fact]
    public async Task Changed_files_are_noticed_and_wrong_ones_leave_the_old_certificate()
    {
        var loggers = new RecordingLoggers();
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            (options, _) => options.TlsAutoReloadIntervalSeconds = 1,
            loggers
        );
        using TlsClient first = server.Connect();
        string serial = server.Certificates.WriteServer();
        await UntilAsync(() => Serial(server) == serial, "the new certificate");
        File.WriteAllText(server.Certificates.CertFile, "half a cert");
        await UntilAsync(
            () => loggers.Lines.Any(static line => line.Contains("the old certificate stays", StringComparison.Ordinal)),
            "the log's line"
        );
        Assert.Equal(serial, Serial(server));
        server.Certificates.WriteServer(validFromDays: -20, validToDays: -10);
        await UntilAsync(
            () => loggers.Lines.Any(static line => line.Contains("the certificate expired on", StringComparison.Ordinal)),
            "the line about the expired one"
        );
        Assert.Equal(serial, Serial(server));
        string last = server.Certificates.WriteServer();
        await UntilAsync(() => Serial(server) == last, "the last certificate");
        Assert.Equal("+PONG", first.Execute("PING"));
    }

    [Fact]
    public async Task Config_set_rejects_unusable_values_and_changes_nothing()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        using TlsClient client = server.Connect();
        using var others = new TestCertificates();
        string serial = Serial(server);
        string refusal = client.Execute("CONFIG", "SET", "tls-cert-file", others.CertFile);
        Assert.Contains("is not the key of the certificate in", refusal, StringComparison.Ordinal);
        Assert.Contains("cannot be read", client.Execute("CONFIG", "SET", "tls-key-file", "/no/such/file"), StringComparison.Ordinal);
        Assert.Equal(serial, Serial(server));
        Assert.Equal("+OK", client.Execute("CONFIG", "SET", "tls-cert-file", others.CertFile, "tls-key-file", others.KeyFile));
        Assert.Equal("+PONG", client.Execute("PING"));
        using var second = TlsClient.Connect(server.EndPoint, others.Authority);
        Assert.Equal("+PONG", second.Execute("PING"));
    }

    [Fact]
    public async Task A_client_that_speaks_plain_text_is_closed_cleanly_and_seldom_logged()
    {
        var loggers = new RecordingLoggers();
        await using TlsTestServer server = await TlsTestServer.StartAsync(loggers: loggers);
        for (int i = 0; i < 50; i++)
        {
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 20_000 };
            socket.Connect(server.EndPoint);
            socket.Send("*1\r\n$4\r\nPING\r\n"u8);
            Assert.Equal(0, socket.Receive(new byte[100]));
        }

        Assert.InRange(loggers.Lines.Count(static line => line.Contains("does not speak TLS", StringComparison.Ordinal)), 1, 25);
        using TlsClient client = server.Connect();
        Assert.Equal("+PONG", client.Execute("PING"));
    }

    [Fact]
    public async Task A_handshake_that_never_ends_is_ended()
    {
        var loggers = new RecordingLoggers();
        await using TlsTestServer server = await TlsTestServer.StartAsync((options, _) => options.TlsHandshakeTimeoutMs = 200, loggers);
        using var silent = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 20_000 };
        silent.Connect(server.EndPoint);
        // The header of a handshake record of 512 bytes, and nothing more.
        using var slow = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 20_000 };
        slow.Connect(server.EndPoint);
        slow.Send([22, 3, 1, 2, 0]);
        Assert.Equal(0, silent.Receive(new byte[1]));
        Assert.Equal(0, slow.Receive(new byte[1]));
        Assert.Contains(
            loggers.Lines,
            static line => line.Contains("took longer than tls-handshake-timeout-ms 200", StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task Unfinished_handshakes_do_not_delay_shutdown()
    {
        TlsTestServer server = await TlsTestServer.StartAsync((options, _) => options.TlsHandshakeTimeoutMs = 3_600_000);
        using var silent = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 20_000 };
        silent.Connect(server.EndPoint);
        using (TlsClient client = server.Connect())
            Assert.Equal("+PONG", client.Execute("PING"));
        await server.DisposeAsync().AsTask().WaitAsync(Patience);
        Assert.Equal(0, silent.Receive(new byte[1]));
    }

    [Fact]
    public async Task Broken_connections_do_not_affect_others()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        using TlsClient steady = server.Connect();
        Assert.Equal("+OK", steady.Execute("SET", "large", new string('x', 4 << 20)));
        for (int i = 0; i < 100; i++)
        {
            TlsClient broken = server.Connect();
            switch (i % 4)
            {
                case 0: // in the middle of a request
                    broken.Stream.Write("*3\r\n$3\r\nSET\r\n$4\r\nhalf\r\n$100000\r\nabc"u8);
                    break;
                case 1: // in the middle of a reply that is not read
                    broken.Stream.Write("*2\r\n$3\r\nGET\r\n$5\r\nlarge\r\n"u8);
                    break;
                case 2: // while it waits
                    broken.Stream.Write("*3\r\n$5\r\nBLPOP\r\n$4\r\nnone\r\n$1\r\n0\r\n"u8);
                    break;
            }

            broken.Cut();
            Assert.Equal("+PONG", steady.Execute("PING"));
        }

        Assert.Equal("$-1", steady.Execute("GET", "half"));
        await UntilAsync(() => server.Server.Resp.Clients.Count == 1, "the broken connections to be gone");
    }

    [Fact]
    public async Task Garbage_in_the_stream_closes_only_that_connection()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        using TlsClient steady = server.Connect();
        using (var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 20_000 })
        {
            socket.Connect(server.EndPoint);
            byte[] garbage = new byte[4096];
            new Random(1).NextBytes(garbage);
            Encoding.ASCII.GetBytes("\u0016\u0003\u0001\u0001\u0000").CopyTo(garbage, 0);
            socket.Send(garbage);
            byte[] reply = new byte[100];
            int received;
            do
            {
                received = TryReceive(socket, reply);
            } while (received > 0);
        }

        Assert.Equal("+PONG", steady.Execute("PING"));
    }

    // The server may send an alert, and closes with bytes unread, which the system reports as a reset.
    private static int TryReceive(Socket socket, byte[] buffer) =>
        socket.Receive(buffer, 0, buffer.Length, SocketFlags.None, out SocketError error) is var count
        && error is SocketError.Success or SocketError.ConnectionReset
            ? count
            : throw new SocketException((int)error);

    private static long Load(TlsTestServer server, int number, CancellationToken stop)
    {
        using TlsClient client = server.Connect();
        string key = $"key{number}";
        string value = new('v', 3000 * (number + 1));
        long rounds = 0;
        for (; !stop.IsCancellationRequested; rounds++)
        {
            Assert.Equal("+OK", client.Execute("SET", key, value));
            Assert.Equal(value, client.Execute("GET", key));
        }

        return rounds;
    }

    // Performs handshakes continuously, so that some are in progress whenever the certificate changes.
    private static long Arrive(TlsTestServer server, CancellationToken stop)
    {
        long rounds = 0;
        for (; !stop.IsCancellationRequested; rounds++)
        {
            using TlsClient client = server.Connect();
            Assert.Equal("+PONG", client.Execute("PING"));
        }

        return rounds;
    }

    private static string Serial(TlsTestServer server)
    {
        using TlsClient client = server.Connect();
        return client.ServerSerial;
    }

    private static async Task UntilAsync(Func<bool> condition, string what)
    {
        DateTime deadline = DateTime.UtcNow + Patience;
        while (!condition())
        {
            Assert.True(DateTime.UtcNow < deadline, $"Waited too long for: {what}");
            await Task.Delay(20);
        }
    }
}
