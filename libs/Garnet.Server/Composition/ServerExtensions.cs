// Commands and types of value that an application adds to a server. Immutable.
using Garnet.Engine.Execution;
using Garnet.Server.Modules;
using Garnet.Store.DataTypes;

namespace Garnet.Server.Composition;

/// <summary>What a server has besides its own commands and types; fixed when it is made.</summary>
internal sealed class ServerExtensions
{
    /// <summary>Commands, whose names must differ from those of the server's own.</summary>
    public IReadOnlyList<CommandDescriptor> Commands { get; init; } = [];

    /// <summary>Types of value.</summary>
    public IReadOnlyList<CustomType> Types { get; init; } = [];

    /// <summary>The library that modules in files are written with; null when none can be loaded.</summary>
    public IModuleFormat? ModuleFormat { get; init; }

    /// <summary>Modules that are part of the application.</summary>
    public IReadOnlyList<ModuleDefinition> Modules { get; init; } = [];
}
