// LATENCY <subcommand> ...
using Garnet.Server.CommandModel;

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
        Categories = AclCategories.Slow,
        Since = "2.8.13",
        Subcommands =
        [
            LatencyDoctorCommand.Descriptor,
            LatencyGraphCommand.Descriptor,
            LatencyHelpCommand.Descriptor,
            LatencyHistogramCommand.Descriptor,
            LatencyHistoryCommand.Descriptor,
            LatencyLatestCommand.Descriptor,
            LatencyResetCommand.Descriptor,
        ],
    };
}
