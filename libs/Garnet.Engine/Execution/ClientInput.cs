// Bytes that a client has sent and that are not executed yet, and their limits. Written by the client's thread.
using Microsoft.Extensions.Logging;

namespace Garnet.Engine.Execution;

/// <summary>A client's query buffer.</summary>
internal sealed class ClientInput(ClientSession client, ClientParts parts)
{
    private long _unauthenticatedBytes;

    /// <summary>
    /// Bytes received of requests that are not executed yet: in the receive buffer, and the arguments held outside of it.
    /// </summary>
    public long Bytes
    {
        get;
        set
        {
            field = value;
            parts.Memory.Count(client, ref _unauthenticatedBytes, value);
        }
    }

    /// <summary>This client's share of the memory of clients that have not authenticated.</summary>
    public long UnauthenticatedBytes => Volatile.Read(ref _unauthenticatedBytes);

    /// <summary>True while the payload of a large argument is received into its block.</summary>
    public bool IsReceivingBlock { get; set; }

    /// <summary>Releases the client's share of the memory of clients that have not authenticated. Any thread.</summary>
    public void Release() => parts.Memory.Release(ref _unauthenticatedBytes);

    /// <summary>
    /// Closes the client when its received but not executed data, including MULTI's queue, exceeds client-query-buffer-limit; also enforces
    /// maxmemory-clients. Called by the client's thread whenever that data has grown.
    /// </summary>
    public bool EndIfTooMuch()
    {
        if (client.End.IsForced)
            return true;
        if (Bytes + client.Transactions.QueuedBytes > parts.Executor.Settings.MaxRequestBytes)
        {
            parts.Statistics.CountQueryBufferDisconnection();
            parts.Log.LogWarning(
                "Client {Id} at {Address} closed: its unfinished request exceeded client-query-buffer-limit",
                client.Id,
                client.Connection.RemoteAddress
            );
            client.End.Force();
        }
        else if (parts.Executor.Settings.LimitsClients)
        {
            parts.Memory.Check(client);
        }

        if (UnauthenticatedBytes != 0)
            parts.Memory.CheckUnauthenticated();

        return client.End.IsForced;
    }
}
