// What a module declares while it is loaded. Used by the thread that loads it.
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;
using Garnet.Store.DataTypes;

namespace Garnet.Server.Modules;

/// <summary>Collects a module's commands and types, which are added together once all of them are known.</summary>
internal sealed class ModuleSetup(RespServer server, LoadedModule module)
{
    /// <summary>The server.</summary>
    public RespServer Server { get; } = server;

    /// <summary>The module that is being loaded.</summary>
    public LoadedModule Module { get; } = module;

    /// <summary>The commands.</summary>
    public List<CommandDescriptor> Commands { get; } = [];

    /// <summary>The types of value.</summary>
    public List<CustomType> Types { get; } = [];
}
