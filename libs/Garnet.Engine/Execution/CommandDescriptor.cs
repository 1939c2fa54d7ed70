// The definition of a command: the only place for its name, arity, flags and keys. Immutable.
using Garnet.Engine.Events;
using Garnet.Engine.Requests;

namespace Garnet.Engine.Execution;

/// <summary>
/// Describes a command; it is placed above its Execute in the command's own file and registered by one line in its family's table.
/// </summary>
internal sealed class CommandDescriptor
{
    /// <summary>Name in upper case: <c>SET</c>; a subcommand has only its own name: <c>GET</c> of <c>CONFIG</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Number of arguments including the name (and the subcommand's name); negative means at least that many.</summary>
    public required int Arity { get; init; }

    /// <summary>Behaviour flags.</summary>
    public required CommandFlags Flags { get; init; }

    /// <summary>Documentation group.</summary>
    public required CommandGroup Group { get; init; }

    /// <summary>ACL categories besides those that the flags and the group imply.</summary>
    public AclCategories Categories { get; init; }

    /// <summary>The version of Valkey or Redis that introduced the command.</summary>
    public required string Since { get; init; }

    /// <summary>The option that says which clients may call the command; null when all may.</summary>
    public ProtectingOption? ProtectedBy { get; init; }

    /// <summary>Properties that clients do not see.</summary>
    public CommandTraits Traits { get; init; }

    /// <summary>
    /// Name of the command that does the same with one key, so that a logged call can be replayed key by key; null when there is none.
    /// </summary>
    public string? SingleKeyForm { get; init; }

    /// <summary>
    /// The event of each key that a call changes, for notifications; null where "del" and "new" say everything, or where
    /// <see cref="ContextEvents"/> says it.
    /// </summary>
    public KeyEvent? Event { get; init; }

    /// <summary>Which arguments are secret; null when none is.</summary>
    public SecretArgument? IsSecret { get; init; }

    /// <summary>
    /// Whether a call of a writing command cannot change anything, so that it is allowed while writes are rejected; null when there is no
    /// such form.
    /// </summary>
    public CommandCondition? ReadsWhenDenied { get; init; }

    /// <summary>Positions of the keys.</summary>
    public KeySpec[] Keys { get; init; } = [];

    /// <summary>Finds the keys when <see cref="Keys"/> contains an unknown specification; null otherwise.</summary>
    public KeyFinder? FindKeys { get; init; }

    /// <summary>How a call accesses its only key, when that depends on its options; null otherwise.</summary>
    public KeyFlagsResolver? KeyFlags { get; init; }

    /// <summary>The arguments that are channels, for access control; null when none is.</summary>
    public ChannelSpec? Channels { get; init; }

    /// <summary>Finds the databases that a call names; null when it can name none.</summary>
    public DatabaseFinder? FindDatabases { get; init; }

    /// <summary>Hints for clients (third-last element of COMMAND INFO).</summary>
    public string[] Tips { get; init; } = [];

    /// <summary>Subcommands of a container command such as CONFIG.</summary>
    public CommandDescriptor[] Subcommands { get; init; } = [];

    /// <summary>What HELP says, for a container command; its HELP subcommand is made from it.</summary>
    public CommandHelp? Help { get; init; }

    /// <summary>The module that added the command; null for the server's own.</summary>
    public string? Module { get; init; }

    /// <summary>What COMMAND DOCS says of it, for commands that the server's own file of documentation lacks.</summary>
    public CommandSyntax? Syntax { get; init; }

    /// <summary>
    /// Executes the command, if it needs nothing of the server but its context; null where <see cref="MakeHandler"/> is given, and for a
    /// container that requires a subcommand.
    /// </summary>
    public CommandHandler? Handler { get; init; }

    /// <summary>Makes what executes the command from the parts of the server that it needs; null where <see cref="Handler"/> is given.</summary>
    public Func<CommandParts, CommandHandler>? MakeHandler { get; init; }

    /// <summary>Makes what says which flags a call has instead, as its script declares; null for most.</summary>
    public Func<CommandParts, CommandFlagsOfCall>? MakeFlags { get; init; }
}
