// [MAXLEN | MINID [= | ~] threshold [LIMIT count]], and XADD's other options before its fields. Immutable once parsed.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>The options of XADD and XTRIM.</summary>
internal struct TrimOptions
{
    private const long NodesPerTrim = 100;
    private const long DefaultLimit = 10_000;
    private const long MaxLimit = 1_000_000;

    private bool _hasLimit;
    private bool _isApproximate;
    private long _limit;
    private long _maxLength;
    private StreamId _minId;

    /// <summary>What to trim by.</summary>
    public TrimStrategy Strategy { get; private set; }

    /// <summary>Whether the result of trimming depends on how entries are stored.</summary>
    public readonly bool IsApproximate => _isApproximate;

    /// <summary>NOMKSTREAM: only if the stream exists.</summary>
    public bool IsOnlyExisting { get; private set; }

    /// <summary>Index of XADD's ID among the arguments; the number of arguments if there is none.</summary>
    public int IdArgument { get; private set; }

    /// <summary>Whether the ID is specified at least partly, that is, not "*".</summary>
    public bool IsIdGiven { get; private set; }

    /// <summary>Whether the sequence number is specified, that is, neither "ms-*" nor "*".</summary>
    public bool IsSequenceGiven { get; private set; }

    /// <summary>The specified parts of the ID.</summary>
    public StreamId Id { get; private set; }

    /// <summary>Parses the arguments after the key; writes the error and returns false if they are invalid.</summary>
    public static bool TryParse(ref CommandContext context, bool isAdding, out TrimOptions options)
    {
        options = default;
        int i = 2;
        for (; i < context.Count; i++)
        {
            bool hasMore = i + 1 < context.Count;
            if (isAdding && context.Is(i, "*"u8))
                break;
            if (hasMore && (context.Is(i, "MAXLEN"u8) || context.Is(i, "MINID"u8)))
            {
                if (!options.TryParseThreshold(ref context, ref i))
                    return false;
            }
            else if (hasMore && context.Is(i, "LIMIT"u8))
            {
                if (!options.TryParseLimit(ref context, ++i))
                    return false;
            }
            else if (isAdding && context.Is(i, "NOMKSTREAM"u8))
            {
                options.IsOnlyExisting = true;
            }
            else if (isAdding)
            {
                if (!options.TryParseId(ref context, i))
                    return false;
                break;
            }
            else
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return false;
            }
        }

        options.IdArgument = i;
        return options.TryFinish(ref context, isAdding);
    }

    /// <summary>Trims the stream and returns the number of entries removed.</summary>
    public readonly long Apply(ref StreamValue stream) =>
        Strategy switch
        {
            TrimStrategy.Length => stream.TrimToLength(_maxLength, _isApproximate, _limit),
            TrimStrategy.Id => stream.TrimBelow(_minId, _isApproximate, _limit),
            _ => 0,
        };

    /// <summary>Adds three arguments to an effect that trim any copy of the stream to this one's current entries.</summary>
    public readonly void AddResult(EffectBuffer effect, scoped in StreamView view)
    {
        effect.Add(Strategy == TrimStrategy.Length ? "MAXLEN"u8 : "MINID"u8).Add("="u8);
        if (Strategy == TrimStrategy.Length)
        {
            effect.Add(_isApproximate ? view.Length : _maxLength);
        }
        else
        {
            StreamIdText.Add(
                effect,
                !_isApproximate ? _minId
                    : view.Length == 0 ? StreamId.Max
                    : view.FirstId
            );
        }
    }

    private bool TryParseThreshold(ref CommandContext context, ref int i)
    {
        bool isById = context.Is(i, "MINID"u8);
        if (Strategy != TrimStrategy.None)
        {
            context.Reply.WriteError("ERR syntax error, MAXLEN and MINID options at the same time are not compatible"u8);
            return false;
        }

        bool mayHaveOperator = i + 2 < context.Count;
        _isApproximate = mayHaveOperator && context.Is(i + 1, "~"u8);
        i += _isApproximate || (mayHaveOperator && context.Is(i + 1, "="u8)) ? 2 : 1;
        Strategy = isById ? TrimStrategy.Id : TrimStrategy.Length;
        if (isById)
            return StreamIdText.TryGet(ref context, i, out _minId);
        if (!context.TryGetInteger(i, out _maxLength))
            return false;
        if (_maxLength < 0)
            context.Reply.WriteError("ERR The MAXLEN argument must be >= 0."u8);
        return _maxLength >= 0;
    }

    private bool TryParseLimit(ref CommandContext context, int index)
    {
        if (!context.TryGetInteger(index, out _limit))
            return false;
        _hasLimit = true;
        if (_limit < 0)
            context.Reply.WriteError("ERR The LIMIT argument must be >= 0."u8);
        return _limit >= 0;
    }

    private bool TryParseId(ref CommandContext context, int index)
    {
        IsIdGiven = StreamIdText.TryParseNew(context[index], out StreamId id, out bool isSequenceGiven);
        IsSequenceGiven = isSequenceGiven;
        Id = id;
        if (!IsIdGiven)
            context.Reply.WriteError("ERR Invalid stream ID specified as stream command argument"u8);
        return IsIdGiven;
    }

    private bool TryFinish(ref CommandContext context, bool isAdding)
    {
        if (_limit != 0 && Strategy == TrimStrategy.None)
            context.Reply.WriteError("ERR syntax error, LIMIT cannot be used without specifying a trimming strategy"u8);
        else if (!isAdding && Strategy == TrimStrategy.None)
            context.Reply.WriteError("ERR syntax error, XTRIM must be called with a trimming strategy"u8);
        else if (_hasLimit && !_isApproximate && !context.Client.Origin.IsReplay)
            context.Reply.WriteError("ERR syntax error, LIMIT cannot be used without the special ~ option"u8);
        else
            return SettleLimit(in context);
        return false;
    }

    private bool SettleLimit(in CommandContext context)
    {
        if (context.Client.Origin.IsReplay)
            _limit = 0;
        else if (_isApproximate && !_hasLimit)
            _limit = DefaultLimitOf(context.Store.Store.CollectionLimits.StreamNodeMaxEntries);
        return true;
    }

    // Limited so that a trim does not take long.
    private static long DefaultLimitOf(long nodeEntries) =>
        nodeEntries <= 0 ? DefaultLimit
        : nodeEntries > MaxLimit / NodesPerTrim ? MaxLimit
        : nodeEntries * NodesPerTrim;
}
