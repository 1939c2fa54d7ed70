// Finds a module by its class. Stateless.
using System.Reflection;
using Garnet.Server.Modules;

namespace Garnet.Modules.Running;

/// <summary>Reads what the generator wrote.</summary>
internal static class ModuleEntry
{
    /// <summary>The module that a class is.</summary>
    /// <exception cref="ArgumentException">The class is none, or was compiled without the generator.</exception>
    public static ModuleEntryAttribute Of(Type type) =>
        type.Assembly.GetCustomAttributes<ModuleEntryAttribute>().FirstOrDefault(entry => entry.Module == type)
        ?? throw new ArgumentException(
            $"{type} is no module: it needs [Module], and its project a reference to the package of Garnet.Modules, which contains the generator."
        );

    /// <summary>A new instance of the module.</summary>
    public static ModuleDefinition NewDefinition(ModuleEntryAttribute entry) => new AttributedModule(entry);
}
