// What the generator writes for each module, so that servers need no reflection to find its commands. Immutable.
using System.ComponentModel;

namespace Garnet.Modules;

/// <summary>Describes a module of the assembly. Written by the generator; not for use in other code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
public abstract class ModuleEntryAttribute : Attribute
{
    /// <summary>The version of this contract: servers refuse modules that were compiled against another one.</summary>
    public const int CurrentApiVersion = 1;

    /// <summary>The same as text, which servers read before they load a module.</summary>
    public const string ApiVersionText = "1";

    /// <summary>Describes a module.</summary>
    /// <param name="module">The class.</param>
    /// <param name="name">The module's name.</param>
    /// <param name="version">The module's version.</param>
    /// <param name="apiVersion"><see cref="CurrentApiVersion"/> when the module was compiled.</param>
    protected ModuleEntryAttribute(Type module, string name, int version, int apiVersion)
    {
        Module = module;
        Name = name;
        Version = version;
        ApiVersion = apiVersion;
    }

    /// <summary>The class.</summary>
    public Type Module { get; }

    /// <summary>The module's name.</summary>
    public string Name { get; }

    /// <summary>The module's version.</summary>
    public int Version { get; }

    /// <summary>The version of the contract that the module was compiled against.</summary>
    public int ApiVersion { get; }

    /// <summary>Creates the module.</summary>
    public abstract IModule Create();

    /// <summary>The module's commands.</summary>
    /// <param name="module">What <see cref="Create"/> returned.</param>
    public abstract CommandDefinition[] CommandsOf(IModule module);
}
