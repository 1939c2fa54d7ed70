// Serves connections from their first byte until their last reply is sent. Thread-safe.
using System.IO.Pipelines;
using Garnet.Server.Acl;
using Garnet.Server.Execution;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Sessions;

/// <summary>Turns each connection into a client with its session.</summary>
internal sealed class ClientConnections(RespServer server)
{
    private long _lastClientId;

    /// <summary>Connections that are no longer clients but still have replies to send.</summary>
    public LeavingConnections Leaving { get; } = new(server.Configuration);

    /// <summary>An identifier that no client has had.</summary>
    public long NextId() => Interlocked.Increment(ref _lastClientId);

    /// <summary>A client of another kind than a connection that is served here; the caller owns it.</summary>
    public ClientSession Open(IClientConnection connection, long id, Origin origin) => new(server, connection, id) { Origin = origin };

    /// <summary>Serves one connection until it ends. The pipe is completed on return.</summary>
    public async Task ServeAsync(IDuplexPipe pipe, IClientConnection connection)
    {
        ClientSession client = new(server, connection, NextId());
        client.Store.Barrier.MayBeGuest = true;
        CertificateLogin.Try(client);
        RespSession session = new(client, pipe);
        client.Session = session;
        if (!await session.TryAdmitAsync().ConfigureAwait(false))
        {
            Leaving.Add(connection);
            return;
        }

        // The address is a new text each time.
        bool isLogged = server.Log.IsEnabled(LogLevel.Debug);
        if (isLogged)
            server.Log.LogDebug("Accepted {Address}, client {Id}", connection.RemoteAddress, client.Id);
        try
        {
            await session.RunAsync().ConfigureAwait(false);
        }
        finally
        {
            if (isLogged)
                server.Log.LogDebug("Closed {Address}, client {Id}", connection.RemoteAddress, client.Id);
            // Added there before it is removed here, so that at every moment at least one of the two lists has it.
            Leaving.Add(connection);
            server.Clients.Remove(client);
            client.Dispose();
        }
    }
}
