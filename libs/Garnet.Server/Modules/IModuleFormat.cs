// Recognizes modules in assemblies. Any thread.
using System.Reflection;

namespace Garnet.Server.Modules;

/// <summary>The library that modules are written with, as far as the server needs it to load them from files.</summary>
internal interface IModuleFormat
{
    /// <summary>Name of the assembly that every module refers to.</summary>
    string ApiAssembly { get; }

    /// <summary>The version of the contract between modules and servers.</summary>
    int ApiVersion { get; }

    /// <summary>The modules in an assembly.</summary>
    IReadOnlyList<ModuleDefinition> Find(Assembly assembly);
}
