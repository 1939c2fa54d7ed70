// The options of LPOS. Immutable.
using Garnet.Server.CommandModel;
using Garnet.Store.Collections.Lists;

namespace Garnet.Server.Commands.Lists;

/// <summary>Which of the matches are wanted.</summary>
/// <param name="Rank">The first match wanted, from 1.</param>
/// <param name="IsReverse">Whether matches are counted from the end of the list.</param>
/// <param name="Count">How many matches are wanted, 0 for all; -1 when only one was asked for.</param>
/// <param name="MaxCompared">How many elements are looked at, 0 for all.</param>
internal readonly record struct PositionOptions(long Rank, bool IsReverse, long Count, long MaxCompared)
{
    /// <summary>Parses the options; writes the error and returns false when they are invalid.</summary>
    public static bool TryParse(ref CommandContext context, out PositionOptions options)
    {
        options = default;
        long rank = 1;
        long count = -1;
        long most = 0;
        for (int i = 3; i < context.Count; i += 2)
        {
            bool isKnown = false;
            if (i + 1 < context.Count && context.Is(i, "RANK"u8))
                isKnown = TryGetRank(ref context, i + 1, out rank);
            else if (i + 1 < context.Count && context.Is(i, "COUNT"u8))
                isKnown = BoundedArgument.TryGet(ref context, i + 1, 0, long.MaxValue, out count, "ERR COUNT can't be negative"u8);
            else if (i + 1 < context.Count && context.Is(i, "MAXLEN"u8))
                isKnown = BoundedArgument.TryGet(ref context, i + 1, 0, long.MaxValue, out most, "ERR MAXLEN can't be negative"u8);
            else
                context.Reply.WriteError(ErrorText.Syntax);
            if (!isKnown)
                return false;
        }

        options = new PositionOptions(Math.Abs(rank), rank < 0, count, most);
        return true;
    }

    /// <summary>The search that the options ask for; its first matches may be before the rank wanted.</summary>
    public ListSearch SearchIn(in ListValue list, ReadOnlySpan<byte> element) =>
        list.Search(element, MaxCompared == 0 ? list.Length : MaxCompared, IsReverse);

    private static bool TryGetRank(ref CommandContext context, int index, out long rank)
    {
        if (!BoundedArgument.TryGet(ref context, index, -long.MaxValue, long.MaxValue, out rank))
            return false;
        if (rank != 0)
            return true;
        context.Reply.WriteError(
            "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list"u8
        );
        return false;
    }
}
