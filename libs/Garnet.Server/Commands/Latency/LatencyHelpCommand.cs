// LATENCY HELP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Latency;

/// <summary>Lists the subcommands. The texts are Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md).</summary>
internal static class LatencyHelpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELP",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "2.8.13",
        Handler = Execute,
    };

    private static readonly string[] Lines =
    [
        "DOCTOR",
        "    Return a human readable latency analysis report.",
        "GRAPH <event>",
        "    Return an ASCII latency graph for the <event> class.",
        "HISTORY <event>",
        "    Return time-latency samples for the <event> class.",
        "LATEST",
        "    Return the latest latency samples for all events.",
        "RESET [<event> ...]",
        "    Reset latency data of one or more <event> classes.",
        "    (default: reset all data for all event classes)",
        "HISTOGRAM [COMMAND ...]",
        "    Return a cumulative distribution of latencies in the format of a histogram for the specified command names.",
        "    If no commands are specified then all histograms are replied.",
    ];

    private static void Execute(ref CommandContext context) => HelpReply.Write(ref context, Lines);
}
