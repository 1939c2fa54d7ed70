// SLOWLOG HELP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Logs;

/// <summary>Lists the subcommands.</summary>
internal static class SlowlogHelpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELP",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "6.2.0",
        Handler = Execute,
    };

    private static readonly string[] Lines =
    [
        "GET [<count>]",
        "    Return top <count> entries from the slowlog (default: 10, -1 mean all).",
        "    Entries are made of:",
        "    id, timestamp, time in microseconds, arguments array, client IP and port,",
        "    client name",
        "LEN",
        "    Return the length of the slowlog.",
        "RESET",
        "    Reset the slowlog.",
    ];

    private static void Execute(ref CommandContext context) => HelpReply.Write(ref context, Lines);
}
