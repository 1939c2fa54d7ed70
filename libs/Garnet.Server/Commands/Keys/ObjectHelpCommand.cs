// OBJECT HELP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Keys;

/// <summary>Lists the subcommands of OBJECT. The texts are Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md).</summary>
internal static class ObjectHelpCommand
{
    private static readonly string[] Lines =
    [
        "ENCODING <key>",
        "    Return the kind of internal representation used in order to store the value",
        "    associated with a <key>.",
        "FREQ <key>",
        "    Return the access frequency index of the <key>. The returned integer is",
        "    proportional to the logarithm of the recent access frequency of the key.",
        "IDLETIME <key>",
        "    Return the idle time of the <key>, that is the approximated number of",
        "    seconds elapsed since the last access to the key.",
        "REFCOUNT <key>",
        "    Return the number of references of the value associated with the specified",
        "    <key>.",
    ];

    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELP",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Keyspace | AclCategories.Slow,
        Since = "6.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => HelpReply.Write(ref context, Lines);
}
