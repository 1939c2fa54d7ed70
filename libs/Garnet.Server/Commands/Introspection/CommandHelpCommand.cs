// COMMAND HELP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Lists the subcommands.</summary>
internal static class CommandHelpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELP",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection | AclCategories.Slow,
        Since = "5.0.0",
        Handler = Execute,
    };

    private static readonly string[] Lines =
    [
        "(no subcommand)",
        "    Return details about all commands.",
        "COUNT",
        "    Return the total number of commands in this server.",
        "LIST",
        "    Return a list of all commands in this server.",
        "INFO [<command-name> ...]",
        "    Return details about multiple commands.",
        "    If no command names are given, documentation details for all",
        "    commands are returned.",
        "DOCS [<command-name> ...]",
        "    Return documentation details about multiple commands.",
        "    If no command names are given, documentation details for all",
        "    commands are returned.",
        "GETKEYS <full-command>",
        "    Return the keys from a full command.",
        "GETKEYSANDFLAGS <full-command>",
        "    Return the keys and the access flags from a full command.",
    ];

    private static void Execute(ref CommandContext context) => HelpReply.Write(ref context, Lines);
}
