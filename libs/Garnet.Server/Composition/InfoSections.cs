// All sections of INFO.
using Garnet.Server.Statistics;

namespace Garnet.Server.Composition;

/// <summary>The list of sections, in Valkey's order.</summary>
internal static class InfoSections
{
    /// <summary>Creates the report of a server.</summary>
    public static InfoReport Create(RespServer server) =>
        new(
            [
                new ServerSection(server.Configuration, server.Clock, server.Identity, server.Host, server.FinalSave.LastEffects),
                new TlsSection(server.Host, server.Clock),
                new ClientsSection(server.Clients, server.Clock, server.Configuration, server.Tracking, server.Store, server.Blocked),
                new MemorySection(
                    server.Configuration,
                    server.Store,
                    server.Memory,
                    server.Statistics,
                    server.Persistence,
                    server.Scripts,
                    server.Clients,
                    server.Replication
                ),
                new TierSection(server.Configuration, server.Tier),
                new PersistenceSection(server.Persistence, server.Statistics, server.Clock),
                new ThreadsSection(server.Configuration, server.Host, server.Threads),
                new StatsSection(
                    server.Statistics,
                    server.Replication,
                    server.Store,
                    server.Messages,
                    server.Scripts,
                    server.Tracking,
                    server.Targets,
                    server.Persistence
                ),
                new ReplicationSection(server.Replication, server.Roles.Failover, server.Clock, server.Configuration),
                new ProcessorSection(server.Statistics),
                new ModulesSection(server.Modules, server.Store),
                new CommandStatsSection(server.Commands),
                new ErrorStatsSection(),
                new LatencyStatsSection(server.Configuration, server.Commands),
                new ClusterSection(),
                new EnginesSection(server.Scripts),
                new DebugSection(server.Statistics, server.Threads),
                new KeyspaceSection(server.Store),
            ],
            server.Modules,
            server.Commands,
            server.Threads
        );
}
