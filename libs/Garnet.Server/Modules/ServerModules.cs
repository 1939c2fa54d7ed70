// The modules of a server. Changed by the server's construction, and by one client at a time under the barrier; read by any thread.
using Garnet.Server.Blocking;
using Garnet.Server.CommandModel;
using Garnet.Server.Configuration;
using Garnet.Server.Sessions;
using Garnet.Store;
using Garnet.Store.DataTypes;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Modules;

/// <summary>
/// Loads and unloads modules. What a module adds to the server is added together or not at all; a module that was unloaded leaves nothing
/// behind.
/// </summary>
internal sealed class ServerModules(RespServer server, ModuleLoggers loggers, IModuleFormat? format) : IDisposable
{
    /// <summary>The number of commands that modules may add to a running server.</summary>
    public const int MaxCommands = 1024;

    private volatile LoadedModule[] _all = [];
    private volatile bool _isOpen;
    private bool _isStarted;

    /// <summary>Notices commands that run for too long.</summary>
    public ModuleWatchdog Watchdog { get; } = new(server);

    /// <summary>Tells modules of the server's events.</summary>
    public ModuleServerEvents Events { get; } = new(server);

    /// <summary>See requests before their commands are looked up.</summary>
    public CommandFilters Filters { get; } = new(server.Commands, loggers);

    /// <summary>Decide about logins before passwords do.</summary>
    public LoginHooks LoginHooks { get; } = new(loggers);

    /// <summary>Whether clients are served, so that modules may do work of their own.</summary>
    public bool IsOpen => _isOpen;

    /// <summary>The modules in the order in which they were loaded.</summary>
    public IReadOnlyList<LoadedModule> All => _all;

    /// <summary>The module of a name, which is case-sensitive; null when there is none.</summary>
    public LoadedModule? Find(string name) => Array.Find(_all, module => module.Name == name);

    /// <summary>The version of the contract between modules and this server; 0 where no modules are loaded from files.</summary>
    public int ApiVersion => format?.ApiVersion ?? 0;

    /// <summary>All options of modules.</summary>
    public IEnumerable<ModuleSetting> Settings => _all.SelectMany(static module => module.Settings);

    /// <summary>The option of a name in any letter case; null when there is none.</summary>
    public ModuleSetting? FindSetting(string name) =>
        name.Contains('.', StringComparison.Ordinal)
            ? Settings.FirstOrDefault(setting => setting.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
            : null;

    /// <summary>What a configuration file has to say of the modules.</summary>
    public ModuleLines Lines() =>
        new(
            [
                .. _all.Where(static module => module.Assemblies is not null)
                    .Select(static module =>
                        string.Join(' ', module.Arguments.Prepend(module.Path).Select(ConfigurationLine.QuoteIfNeeded))
                    ),
            ],
            [.. Settings.Where(static setting => !setting.HasDefault).Select(static setting => (setting.Name, setting.Format()))]
        );

    /// <summary>The log of a module.</summary>
    public ILogger LoggerFor(string module) => loggers.For(module);

    /// <summary>Adds a module of the application before the server starts.</summary>
    /// <exception cref="InvalidOperationException">The name of the module, or of a command or type, is taken.</exception>
    public void AddAtStart(ModuleDefinition definition)
    {
        try
        {
            Register(Prepare(new LoadedModule(server, definition), server.Configuration.Current.ModuleSettings));
        }
        catch (ModuleLoadException e)
        {
            throw new InvalidOperationException(e.Message, e.InnerException);
        }
    }

    /// <summary>Loads the modules that the option loadmodule names, before the server starts.</summary>
    /// <exception cref="OptionException">One cannot be loaded.</exception>
    public void LoadConfigured(GarnetOptions options)
    {
        foreach (string line in options.Modules)
        {
            if (ConfigurationLine.Split(line) is not [var path, .. var arguments])
                throw new OptionException($"loadmodule {line}: unbalanced quotes");
            try
            {
                Register(Prepare(Read(path, arguments), options.ModuleSettings));
                server.Log.LogInformation("Module {Path} loaded", path);
            }
            catch (ModuleLoadException e)
            {
                throw new OptionException($"loadmodule {path}: {e.Message}");
            }
        }

        string? unknown = options.ModuleSettings.Keys.FirstOrDefault(name => FindSetting(name) is null);
        if (unknown is not null)
            throw new OptionException($"unknown option '{unknown}': no module has it");
    }

    /// <summary>From here on, what depends on commands exists.</summary>
    public void Start() => _isStarted = true;

    /// <summary>The data is loaded: from here on modules do work of their own.</summary>
    public void Open()
    {
        _isOpen = true;
        Events.Check();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _isOpen = false;
        foreach (LoadedModule module in _all)
        {
            module.Worker.Dispose();
            Release(module);
        }
    }

    /// <summary>Reads a module from a file and checks it; none of its code runs.</summary>
    /// <exception cref="ModuleLoadException">It cannot be loaded; nothing of it remains.</exception>
    public LoadedModule Read(string path, IReadOnlyList<string> arguments)
    {
        if (format is null)
            throw new ModuleLoadException("this server loads no modules");
        string file = ModulePath.Resolve(path, server.Configuration.Current.ModulesDir);
        var read = ModuleFile.Load(file, format);
        return new LoadedModule(server, read.Definition)
        {
            Assemblies = read.Assemblies,
            Path = file,
            Arguments = [.. arguments],
        };
    }

    /// <summary>Forgets a module that was read and not added, or is released.</summary>
    public static void Drop(LoadedModule module)
    {
        if (module.Assemblies is not { } assemblies)
            return;
        module.Definition.Forget();
        assemblies.Unload();
    }

    /// <summary>Adds a module that was read while the server runs. The caller holds the barrier.</summary>
    /// <exception cref="ModuleLoadException">It cannot be loaded; nothing of it remains.</exception>
    /// <param name="session">The caller's view of the store.</param>
    /// <param name="module">The module.</param>
    /// <param name="settings">Values of its options.</param>
    public void Add(StoreSession session, LoadedModule module, IReadOnlyDictionary<string, string> settings)
    {
        ModuleSetup setup = Prepare(module, settings);
        try
        {
            Register(setup);
        }
        catch (ModuleLoadException)
        {
            Release(module);
            throw;
        }

        server.Log.LogInformation("Module '{Name}' loaded from {Path}", module.Name, module.Path);
        if (module.Types.Length > 0 && server.Store.Types.Kept.KeyCount > 0)
            new KeptValues(server.Store, server.Log, session).BecomeValuesOf(module);
    }

    /// <summary>Unloads a module. The caller holds the barrier.</summary>
    /// <exception cref="ModuleLoadException">It cannot be unloaded now.</exception>
    public void Unload(StoreSession session, string name)
    {
        LoadedModule module = Find(name) ?? throw new ModuleLoadException("no such module with that name");
        if (module.Assemblies is null)
            throw new ModuleLoadException("the module is part of the application");
        if (server.Users.RuleNaming(module.Commands) is { } rule)
        {
            throw new ModuleLoadException(
                $"one or more ACL users reference commands from this module ({rule}). Remove those ACL rules before unloading"
            );
        }

        if (HasKeys(module))
        {
            // Those of flushed databases count until they are removed.
            server.Store.Maintenance.ReclaimFlushedDatabases(session);
            if (HasKeys(module))
                throw new ModuleLoadException("the module's types have keys. Delete them before unloading");
        }

        if (module.Waiting > 0 || server.Clients.Connected.Any(client => IsBlockedBy(client, module)))
            throw new ModuleLoadException("clients wait for the module's commands. End their wait before unloading");
        // Before its commands are gone: its work would miss them.
        module.Worker.Stop();
        SetAll([.. _all.Where(each => each != module)]);
        server.Notifications.FollowModules();
        server.Commands.Remove(module.Commands);
        foreach (CustomType type in module.Types)
            server.Store.Types.Remove(type);
        server.Users.RecomputeCommands();
        Release(module);
        server.Log.LogInformation("Module {Name} unloaded", name);
    }

    private static bool IsBlockedBy(ClientSession client, LoadedModule module) =>
        client.Wait.Reply is BlockedCommand { Command.Descriptor.Module: { } name } && name == module.Name;

    private static bool HasKeys(LoadedModule module) => Array.Exists(module.Types, static type => type.KeyCount > 0);

    private ModuleSetup Prepare(LoadedModule module, IReadOnlyDictionary<string, string> settings)
    {
        try
        {
            if (Find(module.Name) is not null)
                throw new ModuleLoadException($"a module named '{module.Name}' is loaded already");
            var setup = new ModuleSetup(server, module, settings);
            module.Definition.Load(setup);
            return setup.FindUnknownSetting(areAllOfModule: _isStarted) is { } unknown
                ? throw new ModuleLoadException($"the module has no option '{unknown}'")
                : setup;
        }
        catch (Exception e)
        {
            Release(module);
            throw e as ModuleLoadException
                ?? new ModuleLoadException($"the module '{module.Name}' failed to load: {e.GetType().Name}: {e.Message}", e);
        }
    }

    private void Register(ModuleSetup setup)
    {
        LoadedModule module = setup.Module;
        CustomType? taken = setup.Types.Find(type => server.Store.Types.TryFind(type.NameBytes, out _));
        if (taken is not null)
            throw new ModuleLoadException($"there is a type named '{taken.Name}' already");
        if (_isStarted && setup.Commands.Count > server.Commands.FreeIds)
            throw new ModuleLoadException($"modules may add {MaxCommands} commands, of which {server.Commands.FreeIds} are left");
        try
        {
            module.Commands = server.Commands.Add(setup.Commands);
        }
        catch (InvalidOperationException e)
        {
            throw new ModuleLoadException(e.Message);
        }

        foreach (CustomType type in setup.Types)
            server.Store.Types.Add(type);
        module.Types = [.. setup.Types];
        module.Settings = [.. setup.Settings];
        module.InfoSections = [.. setup.InfoSections];
        module.KeyEvents = [.. setup.KeyEvents];
        module.ServerEventHandlers = [.. setup.ServerEventHandlers];
        module.Filters = [.. setup.Filters];
        module.LoginHooks = [.. setup.LoginHooks];
        SetAll([.. _all, module]);
        if (_isStarted)
        {
            // What clients have sent already passes the filters too.
            if (Filters.AreOn)
                server.Batches.ForgetPrepared();
            server.Notifications.FollowModules();
            if (_isOpen)
                ModuleServerEvents.Raise(ModuleServerEvent.Ready, module);
            module.Worker.Run();
            foreach (Command command in module.Commands)
                server.Batches.ResetStatistics(command.Id);
            server.Users.RecomputeCommands();
        }
    }

    private void SetAll(LoadedModule[] modules)
    {
        _all = modules;
        Filters.Follow(modules);
        LoginHooks.Follow(modules);
    }

    // The module's own code must not keep the server from going on without it.
    private void Release(LoadedModule module)
    {
        foreach (IModuleBinding binding in module.Bindings)
            binding.Sever();
        module.Bindings.Clear();
        module.Settings = [];
        module.InfoSections = [];
        module.KeyEvents = [];
        module.ServerEventHandlers = [];
        module.Filters = [];
        module.LoginHooks = [];
        module.Worker.Stop();
        try
        {
            module.Definition.Unload();
        }
        catch (Exception e)
        {
            LoggerFor(module.Name).LogError(e, "The module {Module} failed while it was unloaded", module.Name);
        }

        Drop(module);
    }
}
