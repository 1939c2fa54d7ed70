// ZMSCORE key member [member ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the scores of members.</summary>
internal static class ZMScoreCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZMSCORE",
        Arity = -3,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.SortedSet,
        Since = "6.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!SortedSetKey.TryOpenForReading(ref context, out SortedSetValue members))
            return;
        context.Reply.WriteArray(context.Count - 2);
        for (int i = 2; i < context.Count; i++)
        {
            if (members.TryGetScore(context[i], out double score))
                context.Reply.WriteDouble(score);
            else
                context.Reply.WriteNull();
        }
    }
}
