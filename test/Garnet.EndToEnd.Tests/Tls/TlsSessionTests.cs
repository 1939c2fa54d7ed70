// Sessions with TLS: the same replies, whatever their size and however they are split, on both transports. Each test has its own server.
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using Garnet.Hosting.Health;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Tls;

public sealed class TlsSessionTests(ITestOutputHelper output)
{
    public static TheoryData<TransportKind> Transports =>
        OperatingSystem.IsLinux() ? [TransportKind.Epoll, TransportKind.Sockets] : [TransportKind.Sockets];

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Tls_and_plain_clients_see_the_same_data(TransportKind transport)
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync((options, _) => options.Transport = transport);
        using TlsClient secret = server.Connect();
        using var plain = RespExchange.Connect(server.PlainEndPoint);
        Assert.Equal("+OK", secret.Execute("SET", "k", "v"));
        Assert.Equal("$1\r\nv\r\n", plain.ExecuteText("GET", "k"));
        Assert.Equal(":2", secret.Execute("APPEND", "k", "w"));
        Assert.Equal("vw", secret.Execute("GET", "k"));
    }

    [Theory]
    [InlineData(SslProtocols.Tls12)]
    [InlineData(SslProtocols.Tls13)]
    public async Task Both_versions_of_Tls_are_supported(SslProtocols version)
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        using TlsClient client = server.Connect(protocols: version);
        Assert.Equal(version, client.Stream.SslProtocol);
        Assert.Equal("+PONG", client.Execute("PING"));
    }

    [Fact]
    public async Task A_version_that_is_not_allowed_is_refused()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync((options, _) => options.TlsProtocols = "TLSv1.3");
        Assert.ThrowsAny<Exception>(() => server.Connect(protocols: SslProtocols.Tls12));
        using TlsClient client = server.Connect();
        Assert.Equal("+PONG", client.Execute("PING"));
        Assert.Equal("+OK", client.Execute("CONFIG", "SET", "tls-protocols", "TLSv1.2"));
        using TlsClient older = server.Connect();
        Assert.Equal(SslProtocols.Tls12, older.Stream.SslProtocol);
        Assert.StartsWith(
            "-ERR CONFIG SET failed (possibly related to argument 'tls-protocols') - tls-protocols TLSv1: not supported",
            older.Execute("CONFIG", "SET", "tls-protocols", "TLSv1"),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Values_of_every_size_round_trip(TransportKind transport)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        await using TlsTestServer server = await TlsTestServer.StartAsync((options, _) => options.Transport = transport);
        using TlsClient client = server.Connect();
        int[] sizes =
        [
            0,
            1,
            16_300,
            16_383,
            16_384,
            16_385,
            32_767,
            32_768,
            100_000,
            1 << 20,
            (5 << 20) + 3,
            .. Enumerable.Range(0, 20).Select(_ => random.Next(200_000)),
        ];
        foreach (int size in sizes)
        {
            string value = Text(random, size);
            Assert.Equal("+OK", client.Execute("SET", "value", value));
            Assert.True(client.Execute("GET", "value") == value, $"A value of {size} bytes came back changed (seed {seed}).");
        }
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Requests_split_anywhere_are_answered_in_order(TransportKind transport)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        await using TlsTestServer server = await TlsTestServer.StartAsync((options, _) => options.Transport = transport);
        using TlsClient client = server.Connect();
        const int Commands = 400;
        using var requests = new MemoryStream();
        var values = new List<string>();
        for (int i = 0; i < Commands; i++)
        {
            values.Add(Text(random, random.Next(10) == 0 ? random.Next(100_000) : random.Next(50)));
            RespExchange.Encode(requests, [Encoding.UTF8.GetBytes("ECHO"), Encoding.UTF8.GetBytes(values[i])]);
        }

        byte[] bytes = requests.ToArray();
        var sending = Task.Run(() =>
        {
            for (int at = 0; at < bytes.Length; )
            {
                int piece = Math.Min(bytes.Length - at, 1 + random.Next(1 << random.Next(1, 17)));
                client.Stream.Write(bytes.AsSpan(at, piece));
                at += piece;
            }
        });
        for (int i = 0; i < Commands; i++)
            Assert.True(client.ReadReply() == values[i], $"Reply {i} differs (seed {seed}).");
        await sending;
    }

    [Fact]
    public async Task A_pipeline_is_answered_although_nothing_is_read_meanwhile()
    {
        const int Requests = 20_000;
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        using TlsClient client = server.Connect();
        string value = new('v', 1024);
        Assert.Equal("+OK", client.Execute("SET", "k", value));
        client.Stream.Write(Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("GET k\r\n", Requests))));
        for (int i = 0; i < Requests; i++)
            Assert.Equal(value, client.ReadReply());
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_client_that_waits_is_woken_by_another(TransportKind transport)
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync((options, _) => options.Transport = transport);
        using TlsClient waiting = server.Connect();
        using TlsClient pushing = server.Connect();
        using TlsClient watching = server.Connect();
        Assert.Equal("+OK", watching.Execute("MONITOR"));
        for (int i = 0; i < 20; i++)
        {
            waiting.Stream.Write(RespExchange.Encode([.. new[] { "BLPOP", "list", "20" }.Select(Encoding.ASCII.GetBytes)]));
            Assert.Equal(":1", pushing.Execute("RPUSH", "list", "x"));
            Assert.Equal("*2", waiting.ReadReply());
            Assert.Equal("list", waiting.ReadReply());
            Assert.Equal("x", waiting.ReadReply());
            Assert.Contains("\"list\"", watching.ReadReply(), StringComparison.Ordinal);
            Assert.Contains("\"list\"", watching.ReadReply(), StringComparison.Ordinal);
        }

        // What was sent to it between its waits did not disturb its own requests.
        Assert.Equal("+RESET", watching.Execute("RESET"));
    }

    [Fact]
    public async Task Server_shutdown_closes_Tls_properly()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        using TlsClient client = server.Connect();
        Assert.Equal("+PONG", client.Execute("PING"));
        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        await server.Server.StopAsync(timeout.Token);
        Assert.Equal(0, client.Stream.Read(new byte[1]));
    }

    [Fact]
    public async Task Quit_and_a_client_killed_by_another_end_the_connection()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        using TlsClient client = server.Connect();
        Assert.Equal("+OK", client.Execute("QUIT"));
        Assert.Equal(0, client.Stream.Read(new byte[1]));
        using TlsClient victim = server.Connect();
        string id = victim.Execute("CLIENT", "ID")[1..];
        using TlsClient killer = server.Connect();
        Assert.Equal(":1", killer.Execute("CLIENT", "KILL", "ID", id));
        Assert.ThrowsAny<IOException>(() => victim.Execute("PING"));
    }

    [Fact]
    public async Task A_health_ping_works_over_Tls()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync();
        ServerPingResult result = await new ServerPing(server.EndPoint, server.Server.Configuration.Current, speaksTls: true).RunAsync(
            CancellationToken.None
        );
        Assert.True(result is { Answers: true, IsReady: true }, result.Line);
        Assert.EndsWith(": PONG", result.Line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Tls_alone_can_be_opened_moved_and_closed_by_options()
    {
        using var certificates = new TestCertificates();
        var options = new GarnetOptions
        {
            Port = 0,
            Bind = ["127.0.0.1"],
            Dir = certificates.Folder,
            UnixSocket = Path.Combine(certificates.Folder, "s"),
            TlsCertFile = certificates.CertFile,
            TlsKeyFile = certificates.KeyFile,
            TlsAuthClients = ClientCertificates.No,
        };
        await using GarnetServer server = new GarnetServerBuilder { Options = options }.Build();
        await server.StartAsync();
        using var admin = RespExchange.Connect(server.EndPoints[0]);
        Assert.Empty(server.TlsEndPoints);
        using (var free = new TcpListener(IPAddress.Loopback, 0))
        {
            free.Start();
            string taken = ((IPEndPoint)free.LocalEndpoint).Port.ToString(System.Globalization.CultureInfo.InvariantCulture);
            Assert.Contains(
                "Unable to listen on this port",
                admin.ExecuteText("CONFIG", "SET", "tls-port", taken),
                StringComparison.Ordinal
            );
            free.Stop();
            Assert.Contains(
                "cannot be read",
                admin.ExecuteText("CONFIG", "SET", "tls-port", taken, "tls-cert-file", "/no/such/file"),
                StringComparison.Ordinal
            );
            Assert.Equal("+OK\r\n", admin.ExecuteText("CONFIG", "SET", "tls-port", taken));
        }

        using (var client = TlsClient.Connect(server.TlsEndPoints[0], certificates.Authority))
        {
            Assert.Equal("+PONG", client.Execute("PING"));
            Assert.Equal("+OK\r\n", admin.ExecuteText("CONFIG", "SET", "tls-port", "0"));
            Assert.Empty(server.TlsEndPoints);
            Assert.Equal("+PONG", client.Execute("PING"));
        }

        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        await server.StopAsync(timeout.Token);
    }

    [Fact]
    public async Task Info_shows_the_certificates()
    {
        await using TlsTestServer server = await TlsTestServer.StartAsync(
            (options, certificates) =>
            {
                options.TlsAuthClients = ClientCertificates.Optional;
                options.TlsCaCertFile = certificates.AuthorityFile;
            }
        );
        using TlsClient client = server.Connect();
        string info = client.Execute("INFO", "tls");
        Assert.StartsWith(
            $"# TLS\r\ntls_server_cert_serial:{client.ServerSerial}\r\ntls_server_cert_expires_in_seconds:3153",
            info,
            StringComparison.Ordinal
        );
        Assert.Contains($"\r\ntls_ca_cert_serial:{server.Certificates.Authority.SerialNumber}\r\n", info, StringComparison.Ordinal);
        Assert.Contains("\r\ntls_client_cert_serial:none\r\ntls_client_cert_expires_in_seconds:0\r\n", info, StringComparison.Ordinal);
    }

    private static string Text(Random random, int length) =>
        string.Create(
            length,
            random,
            static (text, source) =>
            {
                foreach (ref char letter in text)
                    letter = (char)('a' + source.Next(26));
            }
        );
}
