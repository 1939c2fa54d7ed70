// The arguments of the range commands. Lives on the stack of one command.
using Garnet.Store;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>Which members are wanted, in which direction.</summary>
internal struct RangeQuery
{
    private RangeKind kind;

    /// <summary>Whether the ends are ranks, so that the number of members is known before they are looked at.</summary>
    public readonly bool IsByRank => kind == RangeKind.Rank;

    private long start;
    private long stop;
    private ScoreRange scores;
    private int firstEnd;
    private long offset;
    private long limit;

    /// <summary>Whether the greatest come first.</summary>
    public bool IsReverse { get; private set; }

    /// <summary>Whether scores are wanted.</summary>
    public bool WithScores { get; private set; }

    /// <summary>Parses <c>key min max [option ...]</c>; writes the error and answers false when it is wrong.</summary>
    /// <param name="context">The call.</param>
    /// <param name="key">Argument index of the key.</param>
    /// <param name="form">What the command's name says.</param>
    /// <param name="query">Receives the query.</param>
    public static bool TryParse(ref CommandContext context, int key, RangeForm form, out RangeQuery query)
    {
        query = new RangeQuery { limit = -1, firstEnd = key + 1 };
        for (int i = key + 3; i < context.Count; i++)
        {
            if (!query.TryAddOption(ref context, ref i, ref form))
                return false;
        }

        query.kind = form.Kind ?? RangeKind.Rank;
        query.IsReverse = form.IsReverse ?? false;
        if (query.limit != -1 && query.kind == RangeKind.Rank)
            context.Reply.WriteError("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX"u8);
        else if (query.WithScores && query.kind == RangeKind.Member)
            context.Reply.WriteError("ERR syntax error, WITHSCORES not supported in combination with BYLEX"u8);
        else
            return query.TryGetEnds(ref context);
        return false;
    }

    /// <summary>The first member wanted, by its ascending rank, and how many.</summary>
    public readonly RankRange Resolve(ref CommandContext context, in SortedSetValue value)
    {
        if (kind == RangeKind.Score)
            return Limit(value.RanksOf(scores), offset, in value);
        if (kind == RangeKind.Member)
            return RangeArguments.TryGetMembers(ref context, MinArgument, MaxArgument, out LexRange members) ? LimitMembers(members, in value) : default;
        IndexRange range = IndexRange.Resolve(start, stop, value.Length);
        return new RankRange(IsReverse ? value.Length - 1 - range.First : range.First, range.Count);
    }

    private readonly int MinArgument => IsReverse ? firstEnd + 1 : firstEnd;

    private readonly int MaxArgument => IsReverse ? firstEnd : firstEnd + 1;

    // What is skipped in a listpack is counted without being compared, which shows where scores differ.
    private readonly RankRange LimitMembers(in LexRange members, in SortedSetValue value)
    {
        RankRange range = value.RanksOf(members, IsReverse);
        if (offset <= 0 || range.Count == 0 || value.Encoding.SequenceEqual("skiplist"u8))
            return Limit(range, offset, in value);
        long start = IsReverse ? range.First + range.Count - 1 - offset : unchecked(range.First + offset);
        return Limit(value.RanksFrom(start, members, IsReverse), 0, in value);
    }

    // A negative offset finds nothing in a listpack, and counts from the other end in a skiplist, as in the reference.
    private readonly RankRange Limit(RankRange range, long skipped, in SortedSetValue value)
    {
        if (skipped < 0 && value.Encoding.SequenceEqual("skiplist"u8))
            skipped += range.Count;
        if (skipped < 0 || skipped >= range.Count || limit == 0)
            return default;
        long left = range.Count - skipped;
        if (limit > 0)
            left = Math.Min(left, limit);
        return new RankRange(IsReverse ? range.First + range.Count - 1 - skipped : range.First + skipped, left);
    }

    private bool TryAddOption(ref CommandContext context, ref int index, ref RangeForm form)
    {
        if (!form.IsStored && context.Is(index, "WITHSCORES"u8))
        {
            WithScores = true;
        }
        else if (index + 2 < context.Count && context.Is(index, "LIMIT"u8))
        {
            index += 2;
            return context.TryGetInteger(index - 1, out offset) && context.TryGetInteger(index, out limit);
        }
        else if (form.IsReverse is null && context.Is(index, "REV"u8))
        {
            form = form with { IsReverse = true };
        }
        else if (form.Kind is null && context.Is(index, "BYLEX"u8))
        {
            form = form with { Kind = RangeKind.Member };
        }
        else if (form.Kind is null && context.Is(index, "BYSCORE"u8))
        {
            form = form with { Kind = RangeKind.Score };
        }
        else
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return false;
        }

        return true;
    }

    private bool TryGetEnds(ref CommandContext context)
    {
        return kind switch
        {
            RangeKind.Rank => context.TryGetInteger(firstEnd, out start) && context.TryGetInteger(firstEnd + 1, out stop),
            RangeKind.Score => RangeArguments.TryGetScores(ref context, MinArgument, MaxArgument, out scores),
            _ => RangeArguments.TryGetMembers(ref context, MinArgument, MaxArgument, out _),
        };
    }
}
