// A server with a TLS endpoint and a plain one, and the certificates it uses. One owner; disposed by it.
using System.Net;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Garnet.Hosting;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Garnet.Testing;

/// <summary>An embedded server on loopback; its certificate is for <c>localhost</c> and 127.0.0.1.</summary>
public sealed class TlsTestServer : IAsyncDisposable
{
    private TlsTestServer(TestCertificates certificates, GarnetServer server) => (Certificates, Server) = (certificates, server);

    /// <summary>What it shows, and whom it believes.</summary>
    public TestCertificates Certificates { get; }

    /// <summary>The server.</summary>
    public GarnetServer Server { get; }

    /// <summary>Where it speaks without TLS.</summary>
    public IPEndPoint PlainEndPoint => (IPEndPoint)Server.EndPoints[0];

    /// <summary>Where it speaks TLS.</summary>
    public IPEndPoint EndPoint => (IPEndPoint)Server.EndPoints[1];

    /// <summary>Starts one; client certificates are off unless the caller says otherwise.</summary>
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
        GarnetServer server = new GarnetServerBuilder { Options = options, Loggers = loggers ?? NullLoggerFactory.Instance }
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
        using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(10));
        await Server.StopAsync(timeout.Token);
        await Server.DisposeAsync();
        Certificates.Dispose();
    }
}
