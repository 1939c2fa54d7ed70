// How a parameter gets its value. Immutable.
namespace Garnet.Modules.Generator;

/// <summary>In the order in which parameters must come.</summary>
internal enum ParameterKind
{
    /// <summary>An argument at a fixed position.</summary>
    Required,

    /// <summary>An option by its keyword.</summary>
    Option,

    /// <summary>All arguments that follow.</summary>
    List,
}
