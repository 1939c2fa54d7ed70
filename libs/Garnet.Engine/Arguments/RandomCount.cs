// The count argument of SRANDMEMBER, HRANDFIELD and ZRANDMEMBER. Plain values on the stack of one command.
using Garnet.Engine.Execution;

namespace Garnet.Engine.Arguments;

/// <summary>How many random elements are requested: distinct ones, or with repetition when the argument is negative.</summary>
internal readonly struct RandomCount
{
    // With repetition a short request could demand an unlimited reply, all of it written before anything is sent. Valkey writes until its
    // memory is exhausted.
    private const long MaxRepetitions = 1 << 24;
    private const long MaxReplyBytes = 1L << 30;

    private RandomCount(long elements, bool isDistinct)
    {
        Elements = elements;
        IsDistinct = isDistinct;
    }

    /// <summary>Elements requested.</summary>
    public long Elements { get; }

    /// <summary>Whether elements must be distinct.</summary>
    public bool IsDistinct { get; }

    /// <summary>Parses an argument; writes the error and returns false when it is invalid.</summary>
    public static bool TryParse(ref CommandContext context, int index, out RandomCount count)
    {
        count = default;
        if (!context.TryGetInteger(index, out long number))
            return false;
        if (number == long.MinValue)
        {
            context.Reply.WriteError("ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807"u8);
            return false;
        }

        count = new RandomCount(Math.Abs(number), number >= 0);
        return true;
    }

    /// <summary>The number of elements in the reply; writes the error and returns false when it would be too large.</summary>
    /// <param name="context">The call.</param>
    /// <param name="length">Elements of the collection.</param>
    /// <param name="bytes">Approximate size of the collection.</param>
    /// <param name="replies">Receives the number of elements.</param>
    public bool TryGetReplies(ref CommandContext context, long length, long bytes, out int replies)
    {
        replies = 0;
        if (length == 0)
            return true;
        if (!IsDistinct && (Elements > MaxRepetitions || Elements * (bytes / length) > MaxReplyBytes))
        {
            context.Reply.WriteError("ERR value is out of range"u8);
            return false;
        }

        replies = checked((int)(IsDistinct ? Math.Min(Elements, length) : Elements));
        return true;
    }
}
