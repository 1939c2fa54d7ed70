// A TLS client that sends commands. One thread at a time.
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Garnet.Testing;

/// <summary>Blocking requests and replies over TLS, with timeouts.</summary>
internal sealed class TlsClient : IDisposable
{
    private const int TimeoutMs = 120_000;

    private readonly Socket _socket;
    private readonly SslStream _stream;
    private readonly byte[] _one = new byte[1];

    private TlsClient(Socket socket, SslStream stream) => (_socket, _stream) = (socket, stream);

    /// <summary>The encrypted stream.</summary>
    public SslStream Stream => _stream;

    /// <summary>Serial number of the server's certificate.</summary>
    public string ServerSerial => ((X509Certificate2)_stream.RemoteCertificate!).SerialNumber;

    /// <summary>Connects and completes the handshake; the server must present a certificate of the authority.</summary>
    public static TlsClient Connect(
        EndPoint endpoint,
        X509Certificate2 authority,
        X509Certificate2? own = null,
        SslProtocols protocols = SslProtocols.None,
        CipherSuitesPolicy? ciphers = null
    )
    {
        var socket = new Socket(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
            ReceiveTimeout = TimeoutMs,
            SendTimeout = TimeoutMs,
        };
        try
        {
            socket.Connect(endpoint);
            var stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
            var trust = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                RevocationMode = X509RevocationMode.NoCheck,
                DisableCertificateDownloads = true,
            };
            trust.CustomTrustStore.Add(authority);
            stream.AuthenticateAsClient(
                new SslClientAuthenticationOptions
                {
                    TargetHost = "localhost",
                    CertificateChainPolicy = trust,
                    EnabledSslProtocols = protocols,
                    CipherSuitesPolicy = ciphers,
                    ClientCertificateContext = own is null ? null : SslStreamCertificateContext.Create(own, null, offline: true),
                }
            );
            return new TlsClient(socket, stream);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Sends a command and reads its reply: a single line, or the content of a bulk string.</summary>
    public string Execute(params string[] arguments)
    {
        _stream.Write(RespExchange.Encode([.. arguments.Select(Encoding.UTF8.GetBytes)]));
        return ReadReply();
    }

    /// <summary>Reads one reply: a single line, or the content of a bulk string.</summary>
    public string ReadReply()
    {
        var line = new StringBuilder();
        while (line.Length < 2 || line[^1] != '\n')
        {
            if (_stream.Read(_one) == 0)
                throw new EndOfStreamException("The server closed the connection.");
            line.Append((char)_one[0]);
        }

        string text = line.ToString(0, line.Length - 2);
        if (text[0] != '$' || text == "$-1")
            return text;
        byte[] content = new byte[int.Parse(text.AsSpan(1), System.Globalization.CultureInfo.InvariantCulture) + 2];
        _stream.ReadExactly(content);
        return Encoding.Latin1.GetString(content, 0, content.Length - 2);
    }

    /// <summary>Closes the TCP connection without a TLS close_notify.</summary>
    public void Cut()
    {
        _socket.LingerState = new LingerOption(true, 0);
        _socket.Dispose();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stream.Dispose();
        _socket.Dispose();
    }
}
