// XGROUP HELP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Streams;

/// <summary>Lists the subcommands of XGROUP. The texts are Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md).</summary>
internal static class XGroupHelpCommand
{
    private static readonly string[] Lines =
    [
        "CREATE <key> <groupname> <id|$> [option]",
        "    Create a new consumer group. Options are:",
        "    * MKSTREAM",
        "      Create the empty stream if it does not exist.",
        "    * ENTRIESREAD entries_read",
        "      Set the group's entries_read counter (internal use).",
        "CREATECONSUMER <key> <groupname> <consumer>",
        "    Create a new consumer in the specified group.",
        "DELCONSUMER <key> <groupname> <consumer>",
        "    Remove the specified consumer.",
        "DESTROY <key> <groupname>",
        "    Remove the specified group.",
        "SETID <key> <groupname> <id|$> [ENTRIESREAD entries_read]",
        "    Set the current group ID and entries_read counter.",
    ];

    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELP",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Stream,
        Categories = AclCategories.Slow | AclCategories.Stream,
        Since = "5.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => HelpReply.Write(ref context, Lines);
}
