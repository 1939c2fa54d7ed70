// A module of a server. Changed while it is loaded or unloaded; then read by any thread.
using Garnet.Engine.Execution;
using Garnet.Store.DataTypes;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Modules;

/// <summary>The module's definition, what it added to the server, and what it has done.</summary>
internal sealed class LoadedModule
{
    private readonly ModuleEnvironment _environment;
    private long _exceptions;
    private long _overruns;
    private long _waiting;

    public LoadedModule(ModuleEnvironment environment, ModuleDefinition definition)
    {
        Definition = definition;
        Name = definition.Name;
        Version = definition.Version;
        Log = environment.LoggerFor(Name);
        _environment = environment;
        Worker = new ModuleWorker(environment, this);
    }

    /// <summary>The module.</summary>
    public ModuleDefinition Definition { get; }

    /// <summary>The name; kept after the module is unloaded.</summary>
    public string Name { get; }

    /// <summary>The version.</summary>
    public int Version { get; }

    /// <summary>Its log.</summary>
    public ILogger Log { get; }

    /// <summary>The file that it was loaded from; empty when it is part of the application.</summary>
    public string Path { get; init; } = "";

    /// <summary>The arguments that it was loaded with.</summary>
    public string[] Arguments { get; init; } = [];

    /// <summary>Its assemblies; null when it is part of the application.</summary>
    public ModuleAssemblies? Assemblies { get; init; }

    /// <summary>The commands that it added.</summary>
    public Command[] Commands { get; set; } = [];

    /// <summary>The types of value that it added.</summary>
    public CustomType[] Types { get; set; } = [];

    /// <summary>Its options.</summary>
    public ModuleSetting[] Settings { get; set; } = [];

    /// <summary>The sections that it adds to INFO.</summary>
    public ModuleInfoSection[] InfoSections { get; set; } = [];

    /// <summary>What it is told of keys.</summary>
    public ModuleKeyEvents[] KeyEvents { get; set; } = [];

    /// <summary>What is called when something happens to the server.</summary>
    public Action<ServerCaller, ModuleServerEvent>[] ServerEventHandlers { get; set; } = [];

    /// <summary>Its command filters.</summary>
    public ModuleFilter[] Filters { get; set; } = [];

    /// <summary>The filters of all modules, which requests of this one pass, too.</summary>
    public CommandFilters RequestFilters => _environment.Calls.Filters;

    /// <summary>What decides about logins.</summary>
    public LoginHook[] LoginHooks { get; set; } = [];

    /// <summary>What it does outside of its commands.</summary>
    public ModuleWorker Worker { get; }

    /// <summary>What refers to its code.</summary>
    public List<IModuleBinding> Bindings { get; } = [];

    /// <summary>Whether effects that name a command are taken without looking the command up, for all its commands.</summary>
    public bool SkipsCommandValidation { get; set; }

    /// <summary>Exceptions that its code has thrown, other than those that stand for a command's error.</summary>
    public long Exceptions => Interlocked.Read(ref _exceptions);

    /// <summary>Calls of its commands that took longer than busy-reply-threshold.</summary>
    public long Overruns => Interlocked.Read(ref _overruns);

    /// <summary>Clients that wait for something of the module's.</summary>
    public long Waiting => Interlocked.Read(ref _waiting);

    /// <summary>A client begins to wait, or ends.</summary>
    public void CountWaiting(int change) => Interlocked.Add(ref _waiting, change);

    /// <summary>Counts such a call.</summary>
    public void CountOverrun() => Interlocked.Increment(ref _overruns);

    /// <summary>Counts an exception.</summary>
    public void CountException() => Interlocked.Increment(ref _exceptions);
}
