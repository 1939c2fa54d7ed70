// The limits on the memory of clients. Thread-safe.
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Server.Configuration;
using Garnet.Server.Sessions;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Eviction;

/// <summary>Two limits: one for all clients together, and one for those that have not authenticated.</summary>
internal sealed class ClientMemory(
    ServerConfiguration configuration,
    ClientRegistry clients,
    ClientLine lines,
    ServerStatistics statistics,
    ILogger log
) : ClientMemoryLimits
{
    /// <summary>Closes clients that use too much memory.</summary>
    public ClientEviction Eviction { get; } = new(clients, lines, statistics, log);

    /// <summary>Limits the memory of clients that have not authenticated yet.</summary>
    public UnauthenticatedMemory Unauthenticated { get; } = new(clients, statistics, log);

    /// <inheritdoc/>
    public override void Count(ClientSession client, ref long counted, long bytes) => Unauthenticated.Count(client, ref counted, bytes);

    /// <inheritdoc/>
    public override void Release(ref long counted) => Unauthenticated.Release(ref counted);

    /// <inheritdoc/>
    public override void Check(ClientSession client) => Eviction.RunIfNotable(client, configuration.Current);

    /// <inheritdoc/>
    public override void CheckUnauthenticated() => Unauthenticated.EndLargest(configuration.Current.MaxMemoryUnauthenticatedClientsBytes);
}
