// XINFO HELP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Streams;

/// <summary>Lists the subcommands of XINFO. The texts are Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md).</summary>
internal static class XInfoHelpCommand
{
    private static readonly string[] Lines =
    [
        "CONSUMERS <key> <groupname>",
        "    Show consumers of <groupname>.",
        "GROUPS <key>",
        "    Show the stream consumer groups.",
        "STREAM <key> [FULL [COUNT <count>]",
        "    Show information about the stream.",
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
