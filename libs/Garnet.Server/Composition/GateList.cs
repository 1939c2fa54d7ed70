// All gates of a server.
using Garnet.Engine.Execution;
using Garnet.Server.Acl;
using Garnet.Server.Messaging;
using Garnet.Server.Modules;
using Garnet.Server.Monitoring;
using Garnet.Server.Persistence;
using Garnet.Server.Persistence.Replay;
using Garnet.Server.Replication;
using Garnet.Server.Scripting;

namespace Garnet.Server.Composition;

/// <summary>The list of gates: a new one is its file, its bit, and a line here.</summary>
internal static class GateList
{
    /// <summary>Creates the gates of a server, in the order in which they are asked.</summary>
    public static ServerGates Create(RespServer server) =>
        new([
            new ScriptCallableGate(server.Scripts),
            new ProtectedGate(),
            new NoMultiGate(),
            new ModuleCallableGate(),
            new PermissionGate(server.Users, server.Statistics),
            new EffectsOnlyGate(),
            new ScriptWritesGate(),
            new RedirectGate(server.Replication),
            new MemoryGate(server.Store.Budget),
            new SavedGate(server.Persistence),
            new ReplicasGate(server.Replication),
            new ReadOnlyGate(server.Replication, server.Configuration),
            new SubscriberGate(),
            new StaleGate(server.Replication),
            new LoadingGate(server.Persistence),
            new BusyGate(),
            new FeedGate(),
            new SizeGate(),
            new PauseGate(server.Clients.Pause, server.Replication, server.Clock),
            new SnapshotSpaceGate(server.Store.Snapshots),
            new LogSpaceGate(server.Persistence),
            new ColdValueGate(server.Store.Conditions),
            new SharedBlockGate(server.Store),
        ]);
}
