// A module of a server. Changed while it is loaded or unloaded; then read by any thread.
using Garnet.Server.CommandModel;
using Garnet.Store.DataTypes;

namespace Garnet.Server.Modules;

/// <summary>The module's definition, what it added to the server, and what it has done.</summary>
internal sealed class LoadedModule(ModuleDefinition definition)
{
    private long _exceptions;

    /// <summary>The module.</summary>
    public ModuleDefinition Definition { get; } = definition;

    /// <summary>The name; kept after the module is unloaded.</summary>
    public string Name { get; } = definition.Name;

    /// <summary>The version.</summary>
    public int Version { get; } = definition.Version;

    /// <summary>The commands that it added.</summary>
    public Command[] Commands { get; set; } = [];

    /// <summary>The types of value that it added.</summary>
    public CustomType[] Types { get; set; } = [];

    /// <summary>What refers to its code.</summary>
    public List<IModuleBinding> Bindings { get; } = [];

    /// <summary>Whether effects that name a command are taken without looking the command up, for all its commands.</summary>
    public bool SkipsCommandValidation { get; set; }

    /// <summary>Exceptions that its code has thrown, other than those that stand for a command's error.</summary>
    public long Exceptions => Interlocked.Read(ref _exceptions);

    /// <summary>Counts an exception.</summary>
    public void CountException() => Interlocked.Increment(ref _exceptions);
}
