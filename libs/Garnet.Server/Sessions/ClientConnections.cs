// Serves connections from their first byte until their last reply is sent. Thread-safe.
using System.IO.Pipelines;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Server.Acl;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Sessions;

/// <summary>Turns each connection into a client with its session.</summary>
internal sealed class ClientConnections(ClientParts parts, ClientFactory clients, SessionParts sessions)
{
    /// <summary>Connections that are no longer clients but still have replies to send.</summary>
    public LeavingConnections Leaving { get; } = new(sessions.Configuration);

    private int _admitted;

    /// <summary>Serves one connection until it ends. The pipe is completed on return.</summary>
    /// <param name="pipe">Its bytes.</param>
    /// <param name="connection">What else a session needs of it.</param>
    public Task ServeAsync(IDuplexPipe pipe, IClientConnection connection) => ServeAsync(Open(connection), pipe, isAdmitted: false);

    /// <summary>
    /// As <see cref="ServeAsync(IDuplexPipe, IClientConnection)"/>, for a connection that was admitted by rules of its own, in place of
    /// protected-mode; it takes none of the places of maxclients.
    /// </summary>
    /// <returns>The client, logged in as its certificate says, and a task that completes when the connection has ended.</returns>
    public (ClientSession Client, Task Served) ServeAdmitted(IDuplexPipe pipe, IClientConnection connection)
    {
        ClientSession client = Open(connection);
        return (client, ServeAdmittedAsync(client, pipe));
    }

    private ClientSession Open(IClientConnection connection)
    {
        ClientSession client = clients.Open(connection, clients.NextId(), Origin.Connection);
        client.Store.Barrier.MayBeGuest = true;
        CertificateLogin.Try(client, sessions.Users, parts.Statistics);
        return client;
    }

    private async Task ServeAdmittedAsync(ClientSession client, IDuplexPipe pipe)
    {
        Interlocked.Increment(ref _admitted);
        try
        {
            await ServeAsync(client, pipe, isAdmitted: true).ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _admitted);
        }
    }

    private async Task ServeAsync(ClientSession client, IDuplexPipe pipe, bool isAdmitted)
    {
        IClientConnection connection = client.Connection;
        RespSession session = new(client, pipe, parts, sessions);
        client.Session = session;
        if (!await session.TryAdmitAsync(isAdmitted, Volatile.Read(ref _admitted)).ConfigureAwait(false))
        {
            Leaving.Add(connection);
            return;
        }

        // The address is a new text each time.
        bool isLogged = parts.Log.IsEnabled(LogLevel.Debug);
        if (isLogged)
            parts.Log.LogDebug("Accepted {Address}, client {Id}", connection.RemoteAddress, client.Id);
        try
        {
            await session.RunAsync().ConfigureAwait(false);
        }
        finally
        {
            if (isLogged)
                parts.Log.LogDebug("Closed {Address}, client {Id}", connection.RemoteAddress, client.Id);
            // Added there before it is removed here, so that at every moment at least one of the two lists has it.
            Leaving.Add(connection);
            parts.Registry.Remove(client);
            client.Dispose();
        }
    }
}
