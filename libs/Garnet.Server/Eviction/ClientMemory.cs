// The limits on the memory of clients. Thread-safe.
using Garnet.Server.Commands.Connection;
using Garnet.Server.Sessions;
using Garnet.Server.Statistics;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Eviction;

/// <summary>Two limits: one for all clients together, and one for those that have not authenticated.</summary>
internal sealed class ClientMemory(ClientRegistry clients, ClientLine lines, ServerStatistics statistics, ILogger log)
{
    /// <summary>Closes clients that use too much memory.</summary>
    public ClientEviction Eviction { get; } = new(clients, lines, statistics, log);

    /// <summary>Limits the memory of clients that have not authenticated yet.</summary>
    public UnauthenticatedMemory Unauthenticated { get; } = new(clients, statistics, log);
}
