// LATENCY <subcommand> ...
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Latency;

/// <summary>The container of the LATENCY subcommands.</summary>
internal static class LatencyCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LATENCY",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Since = "2.8.13",
        Help = new(
            "2.8.13",
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
            ]
        ),
        Subcommands =
        [
            LatencyDoctorCommand.Descriptor,
            LatencyGraphCommand.Descriptor,
            LatencyHistogramCommand.Descriptor,
            LatencyHistoryCommand.Descriptor,
            LatencyLatestCommand.Descriptor,
            LatencyResetCommand.Descriptor,
        ],
    };
}
