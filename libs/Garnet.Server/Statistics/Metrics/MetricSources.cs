// The parts of a server that metrics show. Immutable.
using Garnet.Engine.Clients;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Server.Configuration;
using Garnet.Server.Messaging;
using Garnet.Server.Modules;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Server.Tracking;
using Garnet.Store;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>What metrics look at.</summary>
internal sealed record MetricSources(
    ClientRegistry Clients,
    ServerClock Clock,
    ServerConfiguration Configuration,
    MessageHub Messages,
    ServerModules Modules,
    ServerPersistence Persistence,
    ServerReplication Replication,
    ServerStatistics Statistics,
    HybridLogStore Store,
    KeyTracking Tracking,
    CommandTable Commands,
    ThreadScratchPool Threads
);
