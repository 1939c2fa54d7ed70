// The mistakes that the generator reports. Immutable.
using Microsoft.CodeAnalysis;

namespace Garnet.Modules.Generator;

/// <summary>One rule for each mistake that a signature can have.</summary>
internal static class Mistakes
{
    public static readonly DiagnosticDescriptor Class = Of(
        "GM001",
        "Not a module",
        "The module '{0}' must be a public or internal class that implements IModule, has a constructor without parameters, and is not nested, generic or abstract"
    );

    public static readonly DiagnosticDescriptor ModuleName = Of(
        "GM002",
        "Module name",
        "'{0}' is no name for a module: 1 to 64 letters, digits, hyphens, underscores and dots"
    );

    public static readonly DiagnosticDescriptor Method = Of(
        "GM003",
        "Not a command",
        "The command '{0}' must be a public or internal method without type parameters that returns nothing, and its first parameter is 'ref ModuleContext'"
    );

    public static readonly DiagnosticDescriptor CommandName = Of(
        "GM004",
        "Command name",
        "'{0}' is no name for a command: 1 to 32 upper-case letters, digits, hyphens, underscores and dots"
    );

    public static readonly DiagnosticDescriptor Duplicate = Of("GM005", "Command twice", "The module has the command '{0}' twice");

    public static readonly DiagnosticDescriptor ParameterType = Of(
        "GM006",
        "Parameter type",
        "The parameter '{0}' cannot be read from an argument: use ReadOnlySpan<byte>, long, int, double, ArgumentList, or with [Key] a type of key"
    );

    public static readonly DiagnosticDescriptor Order = Of(
        "GM007",
        "Parameter order",
        "The parameter '{0}' is at the wrong place: required arguments come first, then options or one ArgumentList"
    );

    public static readonly DiagnosticDescriptor Flags = Of(
        "GM008",
        "Command flags",
        "The command '{0}' has keys, so it needs the flag Write or the flag ReadOnly, and not both"
    );

    public static readonly DiagnosticDescriptor Option = Of(
        "GM009",
        "Option",
        "The option '{0}' needs a keyword of its own in upper case, a default value, and the type bool, long, int, double or ReadOnlySpan<byte>"
    );

    public static readonly DiagnosticDescriptor MissingKey = Of("GM010", "Missing [Key]", "The parameter '{0}' is a key and needs [Key]");

    private static DiagnosticDescriptor Of(string id, string title, string message) =>
        new(id, title, message, "Garnet.Modules", DiagnosticSeverity.Error, isEnabledByDefault: true);
}
