// The modules of a server. Changed by the server's construction, and by LiveModules under the barrier; read by any thread.
using Garnet.Server.Configuration;
using Garnet.Store;
using Garnet.Store.DataTypes;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Modules;

/// <summary>
/// Has the modules, and loads them when the server starts. What a module adds to the server is added together or not at all; a module that
/// was unloaded leaves nothing behind.
/// </summary>
internal sealed class ServerModules(
    ModuleEnvironment environment,
    HybridLogStore store,
    CommandFilters filters,
    LoginHooks loginHooks,
    IModuleFormat? format,
    ILogger log
) : IDisposable
{
    /// <summary>The number of commands that modules may add to a running server.</summary>
    public const int MaxCommands = 1024;

    private volatile LoadedModule[] _all = [];

    /// <summary>Modules do work of their own from here on.</summary>
    public event Action? Opened;

    /// <summary>See requests before their commands are looked up.</summary>
    public CommandFilters Filters => filters;

    /// <summary>Decide about logins before passwords do.</summary>
    public LoginHooks LoginHooks => loginHooks;

    /// <inheritdoc cref="ModuleEnvironment.IsOpen"/>
    public bool IsOpen => environment.IsOpen;

    /// <inheritdoc cref="ModuleEnvironment.IsServing"/>
    public bool IsServing => environment.IsServing;

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

    /// <summary>Adds a module of the application before the server starts.</summary>
    /// <exception cref="InvalidOperationException">The name of the module, or of a command or type, is taken.</exception>
    public void AddAtStart(ModuleDefinition definition)
    {
        try
        {
            Register(Prepare(new LoadedModule(environment, definition), environment.Options.ModuleSettings, areAllOfModule: false));
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
                Register(Prepare(Read(path, arguments), options.ModuleSettings, areAllOfModule: false));
                log.LogInformation("Module {Path} loaded", path);
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

    /// <summary>From here on modules can call commands.</summary>
    public void Start(CallParts calls) => environment.Start(calls);

    /// <summary>The data is loaded: from here on modules do work of their own.</summary>
    public void Open()
    {
        environment.IsOpen = true;
        Opened?.Invoke();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        environment.IsOpen = false;
        foreach (LoadedModule module in _all)
        {
            module.Worker.Dispose();
            Release(module);
        }
    }

    /// <summary>Tells all modules of an event. Any thread.</summary>
    public void Raise(ModuleServerEvent raised)
    {
        foreach (LoadedModule module in _all)
            module.Worker.Post(raised);
    }

    /// <summary>Reads a module from a file and checks it; none of its code runs.</summary>
    /// <exception cref="ModuleLoadException">It cannot be loaded; nothing of it remains.</exception>
    public LoadedModule Read(string path, IReadOnlyList<string> arguments)
    {
        if (format is null)
            throw new ModuleLoadException("this server loads no modules");
        string file = ModulePath.Resolve(path, environment.Options.ModulesDir);
        var read = ModuleFile.Load(file, format);
        return new LoadedModule(environment, read.Definition)
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

    /// <summary>Runs the module's code that says what it adds to the server.</summary>
    /// <param name="module">The module.</param>
    /// <param name="settings">Values of options.</param>
    /// <param name="areAllOfModule">Whether all values are meant for this module; otherwise those whose names begin with its own.</param>
    /// <exception cref="ModuleLoadException">It cannot be loaded; nothing of it remains.</exception>
    public ModuleSetup Prepare(LoadedModule module, IReadOnlyDictionary<string, string> settings, bool areAllOfModule)
    {
        try
        {
            if (Find(module.Name) is not null)
                throw new ModuleLoadException($"a module named '{module.Name}' is loaded already");
            var setup = new ModuleSetup(environment, module, settings);
            module.Definition.Load(setup);
            return setup.FindUnknownSetting(areAllOfModule) is { } unknown
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

    /// <summary>Adds a module with its commands and types. Under the barrier, unless the server has not started.</summary>
    /// <exception cref="ModuleLoadException">A name is taken; nothing was added.</exception>
    public void Register(ModuleSetup setup)
    {
        LoadedModule module = setup.Module;
        CustomType? taken = setup.Types.Find(type => store.Types.TryFind(type.NameBytes, out _));
        if (taken is not null)
            throw new ModuleLoadException($"there is a type named '{taken.Name}' already");
        try
        {
            module.Commands = environment.Commands.Add(setup.Commands);
        }
        catch (InvalidOperationException e)
        {
            throw new ModuleLoadException(e.Message);
        }

        foreach (CustomType type in setup.Types)
            store.Types.Add(type);
        module.Types = [.. setup.Types];
        module.Settings = [.. setup.Settings];
        module.InfoSections = [.. setup.InfoSections];
        module.KeyEvents = [.. setup.KeyEvents];
        module.ServerEventHandlers = [.. setup.ServerEventHandlers];
        module.Filters = [.. setup.Filters];
        module.LoginHooks = [.. setup.LoginHooks];
        SetAll([.. _all, module]);
    }

    /// <summary>Removes a module with its commands and types. Under the barrier.</summary>
    public void Remove(LoadedModule module)
    {
        SetAll([.. _all.Where(each => each != module)]);
        environment.Commands.Remove(module.Commands);
        foreach (CustomType type in module.Types)
            store.Types.Remove(type);
    }

    private void SetAll(LoadedModule[] modules)
    {
        _all = modules;
        filters.Follow(modules);
        loginHooks.Follow(modules);
    }

    /// <summary>Lets go of what is left of a module. Its own code cannot keep the server from going on without it.</summary>
    public static void Release(LoadedModule module)
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
            module.Log.LogError(e, "The module {Module} failed while it was unloaded", module.Name);
        }

        Drop(module);
    }
}
