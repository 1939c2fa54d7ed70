// ZINTERCARD numkeys key [key ...] [LIMIT limit]
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the number of members of an intersection.</summary>
internal static class ZInterCardCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZINTERCARD",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.SortedSet,
        Since = "7.0.0",
        Keys = [KeySpec.Counted(1, 0, 1, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!AlgebraArguments.TryParseKeys(ref context, 1, out int keys))
            return;
        context.LatchKeys(2, 1, keys);
        if (!ScoredOperand.HaveRightTypes(ref context, 2, keys))
            return;
        long limit = 0;
        for (int i = 2 + keys; i < context.Count; i += 2)
        {
            if (i + 1 == context.Count || !context.Is(i, "LIMIT"u8))
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return;
            }

            if (!BoundedArgument.TryGet(ref context, i + 1, 0, long.MaxValue, out limit, "ERR LIMIT can't be negative"u8))
                return;
        }

        AlgebraArguments arguments = new() { FirstKey = 2, Keys = keys };
        IntersectionCount visitor = new(limit == 0 ? long.MaxValue : limit);
        SortedSetAlgebra.Intersect(ref context, in arguments, ref visitor);
        context.Reply.WriteInteger(visitor.Count);
    }
}
