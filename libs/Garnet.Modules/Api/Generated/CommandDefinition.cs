// A command as the generator describes it. Immutable.
using System.ComponentModel;

namespace Garnet.Modules;

/// <summary>Describes a command of a module. Written by the generator; not for use in other code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CommandDefinition
{
    /// <summary>The name in upper case.</summary>
    public required string Name { get; init; }

    /// <summary>The number of arguments including the name; negative when there may be more.</summary>
    public required int Arity { get; init; }

    /// <summary>The flags.</summary>
    public required CommandFlags Flags { get; init; }

    /// <summary>Which commands it calls.</summary>
    public CommandCalls Calls { get; init; }

    /// <summary>Reads the arguments and calls the method.</summary>
    public required ModuleCommandHandler Handler { get; init; }

    /// <summary>The keys in the order of their positions.</summary>
    public KeyDefinition[] Keys { get; init; } = [];

    /// <summary>The arguments, for COMMAND DOCS.</summary>
    public ArgumentDefinition[] Arguments { get; init; } = [];

    /// <summary>Categories of access control, separated by commas, or null.</summary>
    public string? Categories { get; init; }

    /// <summary>One sentence, or null.</summary>
    public string? Summary { get; init; }

    /// <summary>The version that introduced the command.</summary>
    public string Since { get; init; } = "1.0.0";
}
