// The table of stream commands.
using Garnet.Engine.Execution;

namespace Garnet.Commands.Streams;

/// <summary>Registers the stream commands.</summary>
internal static class StreamCommands
{
    public static CommandDescriptor[] All =>
        [
            XAckCommand.Descriptor,
            XAddCommand.Descriptor,
            XAutoClaimCommand.Descriptor,
            XClaimCommand.Descriptor,
            XDelCommand.Descriptor,
            XGroupCommand.Descriptor,
            XInfoCommand.Descriptor,
            XLenCommand.Descriptor,
            XPendingCommand.Descriptor,
            XRangeCommand.Descriptor,
            XReadCommand.Descriptor,
            XReadGroupCommand.Descriptor,
            XRevRangeCommand.Descriptor,
            XSetIdCommand.Descriptor,
            XTrimCommand.Descriptor,
        ];
}
