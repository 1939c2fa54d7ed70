// COMMANDLOG HELP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Logs;

/// <summary>Lists the subcommands. The texts are Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md).</summary>
internal static class CommandlogHelpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELP",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "8.1.0",
        Handler = Execute,
    };

    private static readonly string[] Lines =
    [
        "GET <count> <type>",
        "    Return top <count> entries of the specified <type> from the commandlog (-1 mean all).",
        "    Entries are made of:",
        "    id, timestamp,",
        "        time in microseconds for type of slow,",
        "        or size in bytes for type of large-request,",
        "        or size in bytes for type of large-reply",
        "    arguments array, client IP and port,",
        "    client name",
        "LEN <type>",
        "    Return the length of the specified type of commandlog.",
        "RESET <type>",
        "    Reset the specified type of commandlog.",
    ];

    private static void Execute(ref CommandContext context) => HelpReply.Write(ref context, Lines);
}
