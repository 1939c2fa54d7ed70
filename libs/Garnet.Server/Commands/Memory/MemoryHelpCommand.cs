// MEMORY HELP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Memory;

/// <summary>Lists the subcommands.</summary>
internal static class MemoryHelpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELP",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "4.0.0",
        Handler = Execute,
    };

    private static readonly string[] Lines =
    [
        "DOCTOR",
        "    Return memory problems reports.",
        "MALLOC-STATS",
        "    Return internal statistics report from the memory allocator.",
        "PURGE",
        "    Attempt to purge dirty pages for reclamation by the allocator.",
        "STATS",
        "    Return information about the memory usage of the server.",
        "USAGE <key> [SAMPLES <count>]",
        "    Return memory in bytes used by <key> and its value. Nested values are",
        "    sampled up to <count> times (default: 5, 0 means sample all).",
    ];

    private static void Execute(ref CommandContext context) => HelpReply.Write(ref context, Lines);
}
