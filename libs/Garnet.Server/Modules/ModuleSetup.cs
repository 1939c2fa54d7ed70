// What a module declares while it is loaded. Used by the thread that loads it.
using Garnet.Engine.Execution;
using Garnet.Store.DataTypes;

namespace Garnet.Server.Modules;

/// <summary>Collects a module's commands and types, which are added together once all of them are known.</summary>
internal sealed class ModuleSetup(ModuleEnvironment environment, LoadedModule module, IReadOnlyDictionary<string, string> initialSettings)
{
    /// <summary>The server.</summary>
    public ModuleEnvironment Environment { get; } = environment;

    /// <summary>The module that is being loaded.</summary>
    public LoadedModule Module { get; } = module;

    /// <summary>The commands.</summary>
    public List<CommandDescriptor> Commands { get; } = [];

    /// <summary>The options.</summary>
    public List<ModuleSetting> Settings { get; } = [];

    /// <summary>The sections of INFO.</summary>
    public List<ModuleInfoSection> InfoSections { get; } = [];

    /// <summary>Adds an option, whose value may have been given already.</summary>
    /// <exception cref="ModuleLoadException">The value cannot be set, or the name is taken.</exception>
    public void Add(ModuleSetting setting)
    {
        if (Settings.Exists(other => other.Name.Equals(setting.Name, StringComparison.OrdinalIgnoreCase)))
            throw new ModuleLoadException($"the module has the option '{setting.Name}' twice");
        if (initialSettings.TryGetValue(setting.Name, out string? value))
        {
            if (setting.FindProblem(value) is { } problem)
                throw new ModuleLoadException($"{setting.Name} {value}: {problem}");
            setting.Set(value);
        }

        Settings.Add(setting);
    }

    /// <summary>The name of a value that was given for an option that does not exist; null when there is none.</summary>
    /// <param name="areAllOfModule">Whether all values are meant for this module; otherwise those whose names begin with its own.</param>
    public string? FindUnknownSetting(bool areAllOfModule) =>
        initialSettings.Keys.FirstOrDefault(name =>
            (areAllOfModule || name.StartsWith(Module.Name + ".", StringComparison.OrdinalIgnoreCase))
            && !Settings.Exists(setting => setting.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
        );

    /// <summary>What the module wants to be told of keys.</summary>
    public List<ModuleKeyEvents> KeyEvents { get; } = [];

    /// <summary>What is called when something happens to the server.</summary>
    public List<Action<ServerCaller, ModuleServerEvent>> ServerEventHandlers { get; } = [];

    /// <summary>Command filters.</summary>
    public List<ModuleFilter> Filters { get; } = [];

    /// <summary>What decides about logins.</summary>
    public List<LoginHook> LoginHooks { get; } = [];

    /// <summary>The types of value.</summary>
    public List<CustomType> Types { get; } = [];
}
