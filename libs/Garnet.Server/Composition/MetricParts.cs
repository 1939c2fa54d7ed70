// The parts of a server that metrics show.
using Garnet.Server.Statistics.Metrics;

namespace Garnet.Server.Composition;

/// <summary>Names them for <see cref="MetricSnapshot"/>.</summary>
internal static class MetricParts
{
    /// <summary>Those of a server.</summary>
    public static MetricSources Of(RespServer server) =>
        new(
            server.Clients,
            server.Clock,
            server.Configuration,
            server.Messages,
            server.Modules,
            server.Persistence,
            server.Replication,
            server.Statistics,
            server.Store,
            server.Tracking,
            server.Commands,
            server.Threads
        );
}
