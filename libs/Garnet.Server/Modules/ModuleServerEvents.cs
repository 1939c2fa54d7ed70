// Notices what modules are told of the server. Called by the server's clock, one call at a time in general.
using Garnet.Server.Sessions;

namespace Garnet.Server.Modules;

/// <summary>
/// Compares the server's state with that of the last look: modules learn of events a moment later, and the parts that they come from know
/// nothing of modules.
/// </summary>
internal sealed class ModuleServerEvents(RespServer server)
{
    private bool _wasReplica;
    private bool _wasOpen;
    private long _saves;
    private long _failedSaves;

    /// <summary>Looks at the server, and lets waiting work begin.</summary>
    public void Check()
    {
        bool isOpen = server.Modules.IsOpen && server.Persistence.LoadingState.HasData;
        if (isOpen && !_wasOpen)
            Raise(ModuleServerEvent.Ready);
        bool isReplica = server.Replication.IsReplica;
        if (isReplica != _wasReplica)
            Raise(isReplica ? ModuleServerEvent.BecameReplica : ModuleServerEvent.BecamePrimary);
        (long saves, long failed) = (server.Persistence.Snapshots.Successes, server.Persistence.Snapshots.Failures);
        if (saves != _saves)
            Raise(ModuleServerEvent.Saved);
        if (failed != _failedSaves)
            Raise(ModuleServerEvent.SaveFailed);
        (_wasOpen, _wasReplica, _saves, _failedSaves) = (isOpen, isReplica, saves, failed);
        foreach (LoadedModule module in server.Modules.All)
            module.Worker.Run();
    }

    /// <summary>Tells the modules of an event. Any thread.</summary>
    public void Raise(ModuleServerEvent raised)
    {
        foreach (LoadedModule module in server.Modules.All)
            Raise(raised, module);
    }

    /// <summary>Tells one module.</summary>
    public static void Raise(ModuleServerEvent raised, LoadedModule module)
    {
        foreach (Action<ServerCaller, ModuleServerEvent> handler in module.ServerEventHandlers)
            module.Worker.Post(caller => handler(caller, raised));
    }
}
