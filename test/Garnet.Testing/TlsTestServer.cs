// A server with a TLS endpoint and a plain one, and its certificates. One owner, which disposes of it.
using System.Net;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Garnet.Testing;

/// <summary>An embedded server on loopback; its certificate is for <c>localhost</c> and 127.0.0.1.</summary>
internal sealed class TlsTestServer : IAsyncDisposable
{
    private TlsTestServer(TestCertificates certificates, GarnetServer server) => (Certificates, Server) = (certificates, server);

    /// <summary>The server's certificate and its authority.</summary>
    public TestCertificates Certificates { get; }

    /// <summary>The server.</summary>
    public GarnetServer Server { get; }

    /// <summary>The endpoint without TLS.</summary>
    public IPEndPoint PlainEndPoint => (IPEndPoint)Server.EndPoints[0];

    /// <summary>The endpoint with TLS.</summary>
    public IPEndPoint EndPoint => (IPEndPoint)Server.EndPoints[1];

    /// <summary>Starts a server; client certificates are off by default.</summary>
    public static async Task<TlsTestServer> StartAsync(
        Action<GarnetOptions, TestCertificates>? configure = null,
        ILoggerFactory? loggers = null
    )
    {
        var certificates = new TestCertificates();
        var options = new GarnetOptions
        {
            Dir = certificates.Folder,
            TlsCertFile = certificates.CertFile,
            TlsKeyFile = certificates.KeyFile,
            TlsAuthClients = ClientCertificates.No,
        };
        configure?.Invoke(options, certificates);
        GarnetServer server = new GarnetServerBuilder { Options = options, LoggerFactory = loggers ?? NullLoggerFactory.Instance }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .ListenTls(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        await server.StartAsync();
        return new TlsTestServer(certificates, server);
    }

    /// <summary>Opens a connection that checks the server's certificate.</summary>
    public TlsClient Connect(X509Certificate2? own = null, SslProtocols protocols = SslProtocols.None) =>
        TlsClient.Connect(EndPoint, Certificates.Authority, own, protocols);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        await Server.StopAsync(timeout.Token);
        await Server.DisposeAsync();
        Certificates.Dispose();
    }
}
