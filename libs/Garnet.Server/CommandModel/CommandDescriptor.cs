// What a command is: the one place its name, arity, flags and keys are written. Immutable.
namespace Garnet.Server.CommandModel;

/// <summary>
/// Describes a command; stands above its Execute in the command's own file and is registered by one line in its family's table.
/// </summary>
public sealed class CommandDescriptor
{
    /// <summary>Name in upper case: <c>SET</c>; a subcommand has its own name only: <c>GET</c> of <c>CONFIG</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Number of arguments with the name (and the subcommand's name); negative means at least that many.</summary>
    public required int Arity { get; init; }

    /// <summary>Behaviour flags.</summary>
    public required CommandFlags Flags { get; init; }

    /// <summary>Documentation group.</summary>
    public required CommandGroup Group { get; init; }

    /// <summary>ACL categories beyond those the flags imply.</summary>
    public AclCategories Categories { get; init; }

    /// <summary>Version of Valkey or Redis that has the command since.</summary>
    public required string Since { get; init; }

    /// <summary>Whether it changes a part of the string under its first key, whatever its length.</summary>
    public bool ChangesPart { get; init; }

    /// <summary>
    /// Whether a writing command is asked for a form that can go without changing anything, so that it is let in while writes are refused;
    /// null when there is none.
    /// </summary>
    public CommandCondition? ReadsWhenDenied { get; init; }

    /// <summary>Where keys stand.</summary>
    public KeySpec[] Keys { get; init; } = [];

    /// <summary>Finds the keys where <see cref="Keys"/> holds a specification that is unknown; null elsewhere.</summary>
    public KeyFinder? FindKeys { get; init; }

    /// <summary>Hints for clients (COMMAND INFO, last but two).</summary>
    public string[] Tips { get; init; } = [];

    /// <summary>Subcommands of a container command such as CONFIG.</summary>
    public CommandDescriptor[] Subcommands { get; init; } = [];

    /// <summary>Executes the command; null for a container that cannot be called without a subcommand.</summary>
    public CommandHandler? Handler { get; init; }
}
