// The table of HyperLogLog commands.
using Garnet.Engine.Execution;

namespace Garnet.Commands.HyperLogLogs;

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
