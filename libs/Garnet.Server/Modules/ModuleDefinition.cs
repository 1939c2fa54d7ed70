// A module before it is loaded. Called by one thread at a time.
namespace Garnet.Server.Modules;

/// <summary>What a server has to know of a module; the library that modules are written with derives from it.</summary>
internal abstract class ModuleDefinition
{
    /// <summary>The name, as MODULE LIST shows it.</summary>
    public abstract string Name { get; }

    /// <summary>The version, as MODULE LIST shows it.</summary>
    public abstract int Version { get; }

    /// <summary>Lets the module declare what it has. Called once; what it throws makes the load fail.</summary>
    public abstract void Load(ModuleSetup setup);

    /// <summary>Tells the module that it has been unloaded.</summary>
    public abstract void Unload();

    /// <summary>Lets go of the module's code, so that it can leave the memory; it is not loaded again.</summary>
    public abstract void Forget();
}
