// What a configuration file says of modules. Immutable.
namespace Garnet.Server.Configuration;

/// <summary>The modules that are loaded from files now, and the values of all modules' options, as CONFIG REWRITE writes them.</summary>
/// <param name="Loads">For each module the path and the arguments, as after <c>loadmodule</c>.</param>
/// <param name="Settings">The options of modules that do not have their defaults: name and value.</param>
internal sealed record ModuleLines(IReadOnlyList<string> Loads, IReadOnlyList<(string Name, string Value)> Settings);
