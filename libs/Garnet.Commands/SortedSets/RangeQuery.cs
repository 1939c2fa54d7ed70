// The arguments of the range commands. Lives on the stack of one command.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Which members to return, and in which direction.</summary>
internal struct RangeQuery
{
    private RangeKind _kind;

    /// <summary>Whether the range is over ranks, so that its size is known in advance.</summary>
    public readonly bool IsByRank => _kind == RangeKind.Rank;

    private long _start;
    private long _stop;
    private ScoreRange _scores;
    private int _firstEnd;
    private long _offset;
    private long _limit;

    /// <summary>Whether the highest come first.</summary>
    public bool IsReverse { get; private set; }

    /// <summary>Whether the reply includes scores.</summary>
    public bool WithScores { get; private set; }

    /// <summary>Parses <c>key min max [option ...]</c>; writes the error and returns false if it is invalid.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="key">Index of the key among the arguments.</param>
    /// <param name="form">The properties that follow from the command's name.</param>
    /// <param name="query">Receives the query.</param>
    public static bool TryParse(ref CommandContext context, int key, RangeForm form, out RangeQuery query)
    {
        query = new RangeQuery { _limit = -1, _firstEnd = key + 1 };
        for (int i = key + 3; i < context.Count; i++)
        {
            if (!query.TryAddOption(ref context, ref i, ref form))
                return false;
        }

        query._kind = form.Kind ?? RangeKind.Rank;
        query.IsReverse = form.IsReverse ?? false;
        if (query._limit != -1 && query._kind == RangeKind.Rank)
            context.Reply.WriteError("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX"u8);
        else if (query.WithScores && query._kind == RangeKind.Member)
            context.Reply.WriteError("ERR syntax error, WITHSCORES not supported in combination with BYLEX"u8);
        else
            return query.TryGetEnds(ref context);
        return false;
    }

    /// <summary>The range as ascending ranks.</summary>
    public readonly RankRange Resolve(ref CommandContext context, in SortedSetValue value)
    {
        if (_kind == RangeKind.Score)
            return Limit(value.RanksOf(_scores), _offset, in value);
        if (_kind == RangeKind.Member)
        {
            return RangeArguments.TryGetMembers(ref context, MinArgument, MaxArgument, out LexRange members)
                ? LimitMembers(members, in value)
                : default;
        }

        var range = IndexRange.Resolve(_start, _stop, value.Length);
        return new RankRange(IsReverse ? value.Length - 1 - range.First : range.First, range.Count);
    }

    private readonly int MinArgument => IsReverse ? _firstEnd + 1 : _firstEnd;

    private readonly int MaxArgument => IsReverse ? _firstEnd : _firstEnd + 1;

    // Skipping in a listpack counts members without comparing them, as in Valkey; this is visible if their scores differ.
    private readonly RankRange LimitMembers(in LexRange members, in SortedSetValue value)
    {
        RankRange range = value.RanksOf(members, IsReverse);
        if (_offset <= 0 || range.Count == 0 || value.Encoding.SequenceEqual("skiplist"u8))
            return Limit(range, _offset, in value);
        long start = IsReverse ? range.First + range.Count - 1 - _offset : unchecked(range.First + _offset);
        return Limit(value.RanksFrom(start, members, IsReverse), 0, in value);
    }

    // A negative offset returns nothing from a listpack, and counts from the other end in a skiplist, as in Valkey.
    private readonly RankRange Limit(RankRange range, long skipped, in SortedSetValue value)
    {
        if (skipped < 0 && value.Encoding.SequenceEqual("skiplist"u8))
            skipped += range.Count;
        if (skipped < 0 || skipped >= range.Count || _limit == 0)
            return default;
        long left = range.Count - skipped;
        if (_limit > 0)
            left = Math.Min(left, _limit);
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
            return context.TryGetInteger(index - 1, out _offset) && context.TryGetInteger(index, out _limit);
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
        return _kind switch
        {
            RangeKind.Rank => context.TryGetInteger(_firstEnd, out _start) && context.TryGetInteger(_firstEnd + 1, out _stop),
            RangeKind.Score => RangeArguments.TryGetScores(ref context, MinArgument, MaxArgument, out _scores),
            _ => RangeArguments.TryGetMembers(ref context, MinArgument, MaxArgument, out _),
        };
    }
}
