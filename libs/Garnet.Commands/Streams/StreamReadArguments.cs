// [GROUP group consumer] [COUNT count] [BLOCK milliseconds] [NOACK] STREAMS key [key ...] id [id ...]
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Streams;

/// <summary>The arguments of XREAD and XREADGROUP. Immutable once parsed.</summary>
internal struct StreamReadArguments
{
    /// <summary>BLOCK: whether the command waits if there are no entries.</summary>
    public bool IsBlocking { get; private set; }

    /// <summary>Deadline of the wait, 0 for none.</summary>
    public long DeadlineMs { get; private set; }

    /// <summary>Maximum number of entries per stream, 0 for all.</summary>
    public long Count { get; private set; }

    /// <summary>Index of the group among the arguments, directly before the consumer; 0 for none.</summary>
    public int Group { get; private set; }

    /// <summary>NOACK: whether delivered entries do not become pending.</summary>
    public bool IsAcknowledged { get; private set; }

    /// <summary>Index of the first key.</summary>
    public int FirstKey { get; private set; }

    /// <summary>Number of keys.</summary>
    public int Keys { get; private set; }

    /// <summary>Parses the arguments; writes the error and returns false if one is invalid.</summary>
    public static bool TryParse(ref CommandContext context, bool hasGroup, out StreamReadArguments arguments)
    {
        arguments = default;
        for (int i = 1; i < context.Count && arguments.FirstKey == 0; i++)
        {
            if (!arguments.TryParseOption(ref context, hasGroup, ref i))
                return false;
        }

        if (arguments.FirstKey == 0)
            context.Reply.WriteError(ErrorText.Syntax);
        else if (hasGroup && arguments.Group == 0)
            context.Reply.WriteError("ERR Missing GROUP option for XREADGROUP"u8);
        else
            return true;
        return false;
    }

    private bool TryParseOption(ref CommandContext context, bool hasGroup, ref int i)
    {
        int more = context.Count - i - 1;
        if (more > 0 && context.Is(i, "BLOCK"u8))
        {
            IsBlocking = BlockingTimeout.TryGetMilliseconds(ref context, ++i, out long deadlineMs);
            DeadlineMs = deadlineMs;
            return IsBlocking;
        }

        if (more > 0 && context.Is(i, "COUNT"u8))
        {
            bool isInteger = context.TryGetInteger(++i, out long count);
            Count = Math.Max(count, 0);
            return isInteger;
        }

        if (more > 0 && context.Is(i, "STREAMS"u8))
            return TryTakeStreams(ref context, hasGroup, i + 1);
        bool isGroup = more >= 2 && context.Is(i, "GROUP"u8);
        if (!isGroup && !context.Is(i, "NOACK"u8))
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return false;
        }

        if (!hasGroup)
        {
            context.Reply.WriteError(
                isGroup
                    ? "ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead."u8
                    : "ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead."u8
            );
            return false;
        }

        IsAcknowledged |= !isGroup;
        Group = isGroup ? i + 1 : Group;
        i += isGroup ? 2 : 0;
        return true;
    }

    private bool TryTakeStreams(ref CommandContext context, bool hasGroup, int first)
    {
        int rest = context.Count - first;
        FirstKey = first;
        Keys = rest / 2;
        if (rest % 2 == 0)
            return true;
        context.Reply.WriteError(
            $"ERR Unbalanced '{context.Command.FullName}' list of streams: for each stream key an ID or '{(hasGroup ? '>' : '$')}' must be specified."
        );
        return false;
    }
}
