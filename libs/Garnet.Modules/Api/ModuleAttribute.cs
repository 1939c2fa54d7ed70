// Marks the class of a module. Immutable.
namespace Garnet.Modules;

/// <summary>
/// Makes a class a module. The class implements <see cref="IModule"/>, has a constructor without parameters, and is not nested, generic or
/// abstract.
/// </summary>
/// <param name="name">
/// The name that MODULE LIST shows and MODULE UNLOAD takes: 1 to 64 letters, digits, hyphens, underscores and dots.
/// </param>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class ModuleAttribute(string name) : Attribute
{
    /// <summary>The name.</summary>
    public string Name { get; } = name;

    /// <summary>The version that MODULE LIST shows; 1 unless set.</summary>
    public int Version { get; init; } = 1;
}
