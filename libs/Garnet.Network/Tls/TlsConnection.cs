// One connection under TLS. Accepted on the thread pool; afterwards everything runs on the connection's owner, as without TLS.
using System.IO.Pipelines;
using System.Net.Security;
using System.Security.Authentication;
using Garnet.Network.Connections;
using Garnet.Network.Features;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network.Tls;

/// <summary>
/// Sits between a connection and its session, on the connection's own thread: no hop to the thread pool, no pipe in between, and the
/// records of a batch are sent in one call.
/// </summary>
internal sealed class TlsConnection : IDuplexPipe, IAsyncDisposable
{
    private readonly StreamConnection _owner;
    private readonly CipherStream _cipher;
    private readonly SslStream _stream;
    private readonly TlsReader _reader;
    private readonly TlsWriter _writer;

    private TlsConnection(ConnectionContext connection, TlsOptions options)
    {
        _owner =
            connection.Features.Get<IConnectionAffinity>() as StreamConnection
            ?? throw new ArgumentException("TLS is not supported on this connection's transport.", nameof(connection));
        _cipher = new CipherStream(connection.Transport);
        _stream = new SslStream(_cipher, leaveInnerStreamOpen: true);
        _reader = new TlsReader(_stream, _cipher, _owner);
        _writer = new TlsWriter(_stream, _cipher, _owner, options.WriteBytes);
    }

    /// <inheritdoc/>
    public PipeReader Input => _reader;

    /// <inheritdoc/>
    public PipeWriter Output => _writer;

    /// <summary>The negotiated session, and the peer's certificate.</summary>
    public SslStream Session => _stream;

    /// <summary>
    /// Performs the handshake and replaces the connection's transport with this one. On return the caller runs on the connection's owner.
    /// </summary>
    /// <exception cref="PlainTextException">The peer does not speak TLS.</exception>
    /// <exception cref="AuthenticationException">The peers did not agree, or one of them was rejected.</exception>
    /// <exception cref="IOException">The peer disconnected.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static async Task<TlsConnection> AcceptAsync(
        ConnectionContext connection,
        SslServerAuthenticationOptions server,
        TlsOptions options,
        CancellationToken cancellationToken
    )
    {
        var accepted = new TlsConnection(connection, options);
        try
        {
            await accepted._stream.AuthenticateAsServerAsync(server, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            await accepted._stream.DisposeAsync().ConfigureAwait(false);

            // A read cancelled in the middle of a record ends like one that met the end of the stream.
            if (failure is IOException && cancellationToken.IsCancellationRequested)
                throw new OperationCanceledException("The handshake was cancelled.", failure, cancellationToken);

            throw;
        }

        accepted._cipher.IsHandshaking = false;
        await new OwnerSwitch(accepted._owner);
        connection.Transport = accepted;
        connection.Features.Set<IReferencedSend>(accepted._writer);
        connection.Features.Set<IDirectReceive>(accepted._reader);
        return accepted;
    }

    /// <summary>Sends the closing alert to the peer, and frees everything; the connection itself is closed by its owner.</summary>
    public async ValueTask DisposeAsync()
    {
        await new OwnerSwitch(_owner);
        _writer.End();
        if (!_reader.IsOver)
        {
            await _stream.ShutdownAsync().ConfigureAwait(false);
            await _cipher.SendAsync().ConfigureAwait(false);
        }

        await _reader.EndAsync().ConfigureAwait(false);
        await _stream.DisposeAsync().ConfigureAwait(false);
    }
}
