// Notices what modules are told of the server. Called by the server's clock, one call at a time in general.
using Garnet.Server.Effects;
using Garnet.Server.Modules;
using Garnet.Server.Persistence;

namespace Garnet.Server.ModuleHost;

/// <summary>
/// Compares the server's state with that of the last look: modules learn of events a moment later, and the parts that they come from know
/// nothing of modules.
/// </summary>
internal sealed class ModuleServerEvents
{
    private readonly ServerModules _modules;
    private readonly EffectFeed _effects;
    private readonly SnapshotKeeper _snapshots;
    private bool _wasReplica;
    private bool _wasOpen;
    private long _saves;
    private long _failedSaves;

    /// <summary>Nothing has happened yet.</summary>
    public ModuleServerEvents(ServerModules modules, EffectFeed effects, SnapshotKeeper snapshots)
    {
        _modules = modules;
        _effects = effects;
        _snapshots = snapshots;
        modules.Opened += Check;
    }

    /// <summary>Looks at the server, and lets waiting work begin.</summary>
    public void Check()
    {
        bool isOpen = _modules.IsServing;
        if (isOpen && !_wasOpen)
            _modules.Raise(ModuleServerEvent.Ready);
        bool isReplica = _effects.IsFollowing;
        if (isReplica != _wasReplica)
            _modules.Raise(isReplica ? ModuleServerEvent.BecameReplica : ModuleServerEvent.BecamePrimary);
        (long saves, long failed) = (_snapshots.Successes, _snapshots.Failures);
        if (saves != _saves)
            _modules.Raise(ModuleServerEvent.Saved);
        if (failed != _failedSaves)
            _modules.Raise(ModuleServerEvent.SaveFailed);
        (_wasOpen, _wasReplica, _saves, _failedSaves) = (isOpen, isReplica, saves, failed);
        foreach (LoadedModule module in _modules.All)
            module.Worker.Run();
    }
}
