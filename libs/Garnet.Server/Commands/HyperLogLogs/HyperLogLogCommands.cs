// The table of HyperLogLog commands.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.HyperLogLogs;

/// <summary>Registers the HyperLogLog commands.</summary>
internal static class HyperLogLogCommands
{
    public static CommandDescriptor[] All =>
        [
            PfAddCommand.Descriptor,
            PfCountCommand.Descriptor,
            PfDebugCommand.Descriptor,
            PfMergeCommand.Descriptor,
            PfSelfTestCommand.Descriptor,
        ];
}
