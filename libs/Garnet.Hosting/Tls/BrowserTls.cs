// Encrypts connections of browsers with the server's certificate. Any thread.
using System.IO.Pipelines;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Garnet.Hosting.Http;
using Garnet.Server.Configuration;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting.Tls;

/// <summary>
/// A middleware for Kestrel. Browsers log in with passwords, so they are asked for no certificate whatever clients are asked for.
/// </summary>
internal sealed class BrowserTls(TlsGate gate, ServerConfiguration configuration, ILoggerFactory loggers)
{
    private readonly ILogger _log = loggers.CreateLogger("Garnet.Tls");

    /// <summary>Shakes hands and serves the connection until it ends.</summary>
    public async Task ServeAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        var inner = new PipeStream(connection.Transport);
        await using var secure = new SslStream(inner, leaveInnerStreamOpen: true);
        if (!await TryShakeHandsAsync(secure, connection).ConfigureAwait(false))
            return;
        IDuplexPipe plain = connection.Transport;
        var keepOpen = new StreamPipeReaderOptions(leaveOpen: true);
        var input = PipeReader.Create(secure, keepOpen);
        var output = PipeWriter.Create(secure, new StreamPipeWriterOptions(leaveOpen: true));
        connection.Features.Set<ITlsConnectionFeature>(Encrypted.Instance);
        connection.Transport = new PipePair(input, output);
        try
        {
            await next(connection).ConfigureAwait(false);
        }
        finally
        {
            await input.CompleteAsync().ConfigureAwait(false);
            await output.CompleteAsync().ConfigureAwait(false);
            connection.Transport = plain;
        }
    }

    private async Task<bool> TryShakeHandsAsync(SslStream secure, ConnectionContext connection)
    {
        if (gate.BrowserAuthentication is not { } authentication)
            return false;
        using var patience = new CancellationTokenSource(configuration.Current.TlsHandshakeTimeoutMs);
        try
        {
            await secure.AuthenticateAsServerAsync(authentication, patience.Token).ConfigureAwait(false);
            return true;
        }
        // A stranger's bytes: for some, such as records without content, .NET throws other exceptions than it documents.
        catch (Exception e)
        {
            _log.LogDebug("TLS: the handshake of the browser at {Address} failed: {Reason}", connection.RemoteEndPoint, e.Message);
            return false;
        }
    }

    // By it Kestrel knows the scheme.
    private sealed class Encrypted : ITlsConnectionFeature
    {
        public static readonly Encrypted Instance = new();

        public X509Certificate2? ClientCertificate
        {
            get => null;
            set => throw new NotSupportedException("Browsers show no certificate.");
        }

        public Task<X509Certificate2?> GetClientCertificateAsync(CancellationToken cancellationToken) =>
            Task.FromResult<X509Certificate2?>(null);
    }
}
