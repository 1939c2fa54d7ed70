// All gates of a server. Made once; thread-safe.
using Garnet.Server.Acl;
using Garnet.Server.Execution.Gates;
using Garnet.Server.Messaging;
using Garnet.Server.Modules;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Server.Scripting;
using Garnet.Server.Sessions;

namespace Garnet.Server.Execution;

/// <summary>The list of gates: a new one is its file, its bit, and a line here.</summary>
internal sealed class ServerGates
{
    /// <summary>
    /// Gates whose question is about the command, the client or the origin alone are always raised: they concern few commands, or few
    /// origins ask them.
    /// </summary>
    public const GateMask AlwaysRaised =
        GateMask.ScriptCallable
        | GateMask.Protected
        | GateMask.NoMulti
        | GateMask.ModuleCallable
        | GateMask.EffectsOnly
        | GateMask.ScriptWrites
        | GateMask.SharedBlock;

    /// <summary>Creates the gates of a server.</summary>
    public ServerGates(RespServer server)
    {
        Size = new SizeGate();
        ColdValues = new ColdValueGate(server.Store.Conditions);
        All =
        [
            new ScriptCallableGate(server.Scripts),
            new ProtectedGate(server.Configuration),
            new NoMultiGate(),
            new ModuleCallableGate(),
            new PermissionGate(),
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
            new FeedGate(server.Monitors),
            Size,
            new PauseGate(server.Clients.Pause, server.Replication, server.Clock),
            new SnapshotSpaceGate(server.Store.Snapshots),
            new LogSpaceGate(server.Persistence),
            ColdValues,
            new SharedBlockGate(server.Store),
        ];
    }

    /// <summary>In the order in which they are asked.</summary>
    public IReadOnlyList<Gate> All { get; }

    /// <summary>The limits on the size of requests.</summary>
    public SizeGate Size { get; }

    /// <summary>The gate that loads values.</summary>
    public ColdValueGate ColdValues { get; }
}
