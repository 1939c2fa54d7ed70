// The class that a module consists of. One instance for each server.
namespace Garnet.Modules;

/// <summary>
/// A module: a class with <see cref="ModuleAttribute"/> whose methods with <see cref="CommandAttribute"/> are commands of the server.
/// Commands run on many threads at once, so what they share in fields must be immutable or thread-safe.
/// </summary>
public interface IModule
{
    /// <summary>
    /// Called once before the first command, by the thread that builds the server or loads the module. Declares what cannot be seen from
    /// the class: options, types, and the commands that it calls. An exception makes the load fail, and nothing of the module remains.
    /// </summary>
    /// <param name="host">The server; valid until the module is unloaded.</param>
    void Load(IModuleHost host);

    /// <summary>
    /// Called once when the module is unloaded, while no command runs. Ends what the module has started, such as threads; what it leaves
    /// running keeps the module in memory.
    /// </summary>
    void Unload() { }
}
