// The table of sorted set commands.
using Garnet.Engine.Execution;

namespace Garnet.Commands.SortedSets;

/// <summary>Registers the sorted set commands.</summary>
internal static class SortedSetCommands
{
    public static CommandDescriptor[] All =>
        [
            BZMPopCommand.Descriptor,
            BZPopMaxCommand.Descriptor,
            BZPopMinCommand.Descriptor,
            ZAddCommand.Descriptor,
            ZCardCommand.Descriptor,
            ZCountCommand.Descriptor,
            ZDiffCommand.Descriptor,
            ZDiffStoreCommand.Descriptor,
            ZIncrByCommand.Descriptor,
            ZInterCardCommand.Descriptor,
            ZInterCommand.Descriptor,
            ZInterStoreCommand.Descriptor,
            ZLexCountCommand.Descriptor,
            ZMPopCommand.Descriptor,
            ZMScoreCommand.Descriptor,
            ZPopMaxCommand.Descriptor,
            ZPopMinCommand.Descriptor,
            ZRandMemberCommand.Descriptor,
            ZRangeByLexCommand.Descriptor,
            ZRangeByScoreCommand.Descriptor,
            ZRangeCommand.Descriptor,
            ZRangeStoreCommand.Descriptor,
            ZRankCommand.Descriptor,
            ZRemCommand.Descriptor,
            ZRemRangeByLexCommand.Descriptor,
            ZRemRangeByRankCommand.Descriptor,
            ZRemRangeByScoreCommand.Descriptor,
            ZRevRangeByLexCommand.Descriptor,
            ZRevRangeByScoreCommand.Descriptor,
            ZRevRangeCommand.Descriptor,
            ZRevRankCommand.Descriptor,
            ZScanCommand.Descriptor,
            ZScoreCommand.Descriptor,
            ZUnionCommand.Descriptor,
            ZUnionStoreCommand.Descriptor,
        ];
}
