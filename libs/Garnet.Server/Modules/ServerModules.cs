// The modules of a server. Changed by the server's construction, and by one client at a time under the barrier; read by any thread.
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;
using Garnet.Store.DataTypes;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Modules;

/// <summary>Adds modules to the server. A module's commands and types are added together or not at all.</summary>
internal sealed class ServerModules(RespServer server, ILoggerFactory loggers)
{
    /// <summary>The number of commands that modules may add to a running server.</summary>
    public const int MaxCommands = 1024;

    private volatile LoadedModule[] _all = [];

    /// <summary>The modules in the order in which they were loaded.</summary>
    public IReadOnlyList<LoadedModule> All => _all;

    /// <summary>The module of a name, which is case-sensitive; null when there is none.</summary>
    public LoadedModule? Find(string name) => Array.Find(_all, module => module.Name == name);

    /// <summary>The log of a module.</summary>
    public ILogger LoggerFor(string module) => loggers.CreateLogger("Garnet.Module." + module);

    /// <summary>Adds a module before the server starts.</summary>
    /// <exception cref="InvalidOperationException">The name of the module, or of a command or type, is taken.</exception>
    public void AddAtStart(ModuleDefinition definition) => Register(Prepare(definition));

    private ModuleSetup Prepare(ModuleDefinition definition)
    {
        if (Find(definition.Name) is not null)
            throw new InvalidOperationException($"a module named '{definition.Name}' is loaded already");
        var setup = new ModuleSetup(server, new LoadedModule(definition));
        definition.Load(setup);
        return setup;
    }

    private void Register(ModuleSetup setup)
    {
        LoadedModule module = setup.Module;
        CustomType? taken = setup.Types.Find(type => server.Store.Types.TryFind(type.NameBytes, out _));
        if (taken is not null)
            throw new InvalidOperationException($"there is a type named '{taken.Name}' already");
        module.Commands = server.Commands.Add(setup.Commands);
        foreach (CustomType type in setup.Types)
            server.Store.Types.Add(type);
        module.Types = [.. setup.Types];
        _all = [.. _all, module];
    }
}
