// The table of list commands.
using Garnet.Engine.Execution;

namespace Garnet.Commands.Lists;

/// <summary>Registers the list commands.</summary>
internal static class ListCommands
{
    public static CommandDescriptor[] All =>
        [
            BLMoveCommand.Descriptor,
            BLMPopCommand.Descriptor,
            BLPopCommand.Descriptor,
            BRPopCommand.Descriptor,
            BRPopLPushCommand.Descriptor,
            LIndexCommand.Descriptor,
            LInsertCommand.Descriptor,
            LLenCommand.Descriptor,
            LMoveCommand.Descriptor,
            LMPopCommand.Descriptor,
            LPopCommand.Descriptor,
            LPosCommand.Descriptor,
            LPushCommand.Descriptor,
            LPushXCommand.Descriptor,
            LRangeCommand.Descriptor,
            LRemCommand.Descriptor,
            LSetCommand.Descriptor,
            LTrimCommand.Descriptor,
            RPopCommand.Descriptor,
            RPopLPushCommand.Descriptor,
            RPushCommand.Descriptor,
            RPushXCommand.Descriptor,
        ];
}
