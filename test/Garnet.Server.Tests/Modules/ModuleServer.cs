// Servers with modules for tests.
using Garnet.Modules.Running;
using Garnet.Server.Composition;

namespace Garnet.Server.Tests.Modules;

/// <summary>Makes extensions of module classes.</summary>
internal static class ModuleServer
{
    /// <summary>Extensions with modules, as a builder makes them.</summary>
    public static ServerExtensions With(params Type[] modules) =>
        new() { Modules = [.. modules.Select(static type => ModuleEntry.NewDefinition(ModuleEntry.Of(type)))] };
}
