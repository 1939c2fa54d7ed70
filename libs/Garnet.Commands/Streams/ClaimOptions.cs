// id [id ...] [IDLE ms] [TIME unix-time-ms] [RETRYCOUNT count] [FORCE] [JUSTID] [LASTID id]
using Garnet.Engine.Execution;
using Garnet.Protocol;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>The arguments of XCLAIM after the minimum idle time. Immutable once parsed.</summary>
internal struct ClaimOptions
{
    private const int FirstIdArgument = 5;

    /// <summary>Index after the last ID; the first one is at 5.</summary>
    public int EndOfIds { get; private set; }

    /// <summary>Delivery time of the entries as Unix milliseconds.</summary>
    public long DeliveredAtMs { get; private set; }

    /// <summary>Delivery count of the entries; negative to increment it.</summary>
    public long Deliveries { get; private set; }

    /// <summary>FORCE: whether entries that are not pending become pending.</summary>
    public bool IsForced { get; private set; }

    /// <summary>JUSTID: whether to reply only with IDs, without incrementing the delivery count.</summary>
    public bool IsJustId { get; private set; }

    /// <summary>Minimum for the group's last delivered ID.</summary>
    public StreamId LastId { get; private set; }

    /// <summary>Parses the arguments; writes the error and returns false if one is invalid.</summary>
    public static bool TryParse(ref CommandContext context, out ClaimOptions options)
    {
        options = new ClaimOptions
        {
            EndOfIds = FirstIdArgument,
            DeliveredAtMs = -1,
            Deliveries = -1,
        };
        while (options.EndOfIds < context.Count && StreamIdText.TryParse(context[options.EndOfIds], 0, out _))
            options.EndOfIds++;
        for (int i = options.EndOfIds; i < context.Count; i++)
        {
            if (!options.TryParseOption(ref context, ref i))
                return false;
        }

        long nowMs = context.RunningNowMs;
        if (options.DeliveredAtMs < 0 || options.DeliveredAtMs > nowMs)
            options.DeliveredAtMs = nowMs;
        return true;
    }

    private bool TryParseOption(ref CommandContext context, ref int i)
    {
        bool hasMore = i + 1 < context.Count;
        bool isIdle = hasMore && context.Is(i, "IDLE"u8);
        if (context.Is(i, "FORCE"u8))
        {
            IsForced = true;
        }
        else if (context.Is(i, "JUSTID"u8))
        {
            IsJustId = true;
        }
        else if (isIdle || (hasMore && context.Is(i, "TIME"u8)))
        {
            return TryParseTime(ref context, ++i, isIdle);
        }
        else if (hasMore && context.Is(i, "RETRYCOUNT"u8))
        {
            return TryParseDeliveries(ref context, ++i);
        }
        else if (hasMore && context.Is(i, "LASTID"u8))
        {
            return TryParseLastId(ref context, ++i);
        }
        else
        {
            ArgumentText.WriteError(ref context, $"ERR Unrecognized XCLAIM option '{ArgumentText.Printable(context[i])}'");
            return false;
        }

        return true;
    }

    private bool TryParseTime(ref CommandContext context, int index, bool isIdle)
    {
        bool isInteger = IntegerText.TryParse(context[index], out long ms);
        DeliveredAtMs = isIdle ? unchecked(context.RunningNowMs - ms) : ms;
        if (!isInteger)
        {
            context.Reply.WriteError(
                isIdle ? "ERR Invalid IDLE option argument for XCLAIM"u8 : "ERR Invalid TIME option argument for XCLAIM"u8
            );
        }

        return isInteger;
    }

    private bool TryParseDeliveries(ref CommandContext context, int index)
    {
        bool isInteger = IntegerText.TryParse(context[index], out long deliveries);
        Deliveries = deliveries;
        if (!isInteger)
            context.Reply.WriteError("ERR Invalid RETRYCOUNT option argument for XCLAIM"u8);
        return isInteger;
    }

    private bool TryParseLastId(ref CommandContext context, int index)
    {
        bool isId = StreamIdText.TryGet(ref context, index, out StreamId id);
        LastId = id;
        return isId;
    }
}
