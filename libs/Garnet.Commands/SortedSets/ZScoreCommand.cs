// ZSCORE key member
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the score of a member.</summary>
internal static class ZScoreCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZSCORE",
        Arity = 3,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.SortedSet,
        Since = "1.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        ScoreReader reader = new() { Member = context[2] };
        if (context.Read(1, RecordType.SortedSet, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else if (reader.IsFound)
            context.Reply.WriteDouble(reader.Score);
        else
            context.Reply.WriteNull();
    }
}
