// Loads and unloads modules while the server runs. Used by one client at a time, under the barrier.
using Garnet.Engine.Execution;
using Garnet.Server.Acl;
using Garnet.Server.Modules;
using Garnet.Server.Notifications;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.ModuleHost;

/// <summary>Changes <see cref="ServerModules"/>, and lets everything follow that depends on which commands there are.</summary>
internal sealed class LiveModules(
    ServerModules modules,
    HybridLogStore store,
    CommandTable commands,
    Users users,
    ClientRegistry clients,
    KeyNotifications notifications,
    ThreadScratchPool threads,
    ILogger log
)
{
    /// <summary>Adds a module that was read while the server runs. The caller holds the barrier.</summary>
    /// <exception cref="ModuleLoadException">It cannot be loaded; nothing of it remains.</exception>
    /// <param name="session">The caller's view of the store.</param>
    /// <param name="module">The module.</param>
    /// <param name="settings">Values of its options.</param>
    public void Add(StoreSession session, LoadedModule module, IReadOnlyDictionary<string, string> settings)
    {
        ModuleSetup setup = modules.Prepare(module, settings, areAllOfModule: true);
        try
        {
            if (setup.Commands.Count > commands.FreeIds)
            {
                throw new ModuleLoadException(
                    $"modules may add {ServerModules.MaxCommands} commands, of which {commands.FreeIds} are left"
                );
            }

            modules.Register(setup);
        }
        catch (ModuleLoadException)
        {
            ServerModules.Release(module);
            throw;
        }

        Begin(module);
        log.LogInformation("Module '{Name}' loaded from {Path}", module.Name, module.Path);
        if (module.Types.Length > 0 && store.Types.Kept.KeyCount > 0)
            new KeptValues(store, log, session).BecomeValuesOf(module);
    }

    /// <summary>Unloads a module. The caller holds the barrier.</summary>
    /// <exception cref="ModuleLoadException">It cannot be unloaded now.</exception>
    public void Unload(StoreSession session, string name)
    {
        LoadedModule module = modules.Find(name) ?? throw new ModuleLoadException("no such module with that name");
        if (module.Assemblies is null)
            throw new ModuleLoadException("the module is part of the application");
        if (users.RuleNaming(module.Commands) is { } rule)
        {
            throw new ModuleLoadException(
                $"one or more ACL users reference commands from this module ({rule}). Remove those ACL rules before unloading"
            );
        }

        if (HasKeys(module))
        {
            // Those of flushed databases count until they are removed.
            store.Maintenance.ReclaimFlushedDatabases(session);
            if (HasKeys(module))
                throw new ModuleLoadException("the module's types have keys. Delete them before unloading");
        }

        if (module.Waiting > 0 || clients.Connected.Any(client => IsBlockedBy(client, module)))
            throw new ModuleLoadException("clients wait for the module's commands. End their wait before unloading");
        // Before its commands are gone: its work would miss them.
        module.Worker.Stop();
        modules.Remove(module);
        notifications.FollowModules();
        users.RecomputeCommands();
        ServerModules.Release(module);
        log.LogInformation("Module {Name} unloaded", name);
    }

    // What depends on modules and their commands takes the new one into account.
    private void Begin(LoadedModule module)
    {
        // What clients have sent already passes the filters too.
        if (modules.Filters.AreOn)
            threads.ForgetPrepared();
        notifications.FollowModules();
        if (modules.IsOpen)
            module.Worker.Post(ModuleServerEvent.Ready);
        module.Worker.Run();
        foreach (Command command in module.Commands)
            threads.ResetStatistics(command.Id);
        users.RecomputeCommands();
    }

    private static bool IsBlockedBy(ClientSession client, LoadedModule module) =>
        client.Wait.Reply is BlockedCommand { Command.Descriptor.Module: { } name } && name == module.Name;

    private static bool HasKeys(LoadedModule module) => Array.Exists(module.Types, static type => type.KeyCount > 0);
}
