// Recognizes modules in assemblies. Any thread.
using System.Reflection;
using Garnet.Server.Modules;

namespace Garnet.Modules.Running;

/// <summary>Modules that were compiled with this library's generator.</summary>
internal sealed class AssemblyModules : IModuleFormat
{
    public static readonly AssemblyModules Instance = new();

    private AssemblyModules() { }

    /// <inheritdoc/>
    public string ApiAssembly { get; } = typeof(AssemblyModules).Assembly.GetName().Name!;

    /// <inheritdoc/>
    public int ApiVersion => ModuleEntryAttribute.CurrentApiVersion;

    /// <inheritdoc/>
    public IReadOnlyList<ModuleDefinition> Find(Assembly assembly) =>
        [.. assembly.GetCustomAttributes<ModuleEntryAttribute>().Select(ModuleEntry.NewDefinition)];
}
