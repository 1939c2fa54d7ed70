// The count of SRANDMEMBER, HRANDFIELD and ZRANDMEMBER. Plain values on the stack of one command.

namespace Garnet.Server.CommandModel;

/// <summary>How many random elements are asked for: different ones, or with repetition when the argument is negative.</summary>
internal readonly struct RandomCount
{
    // With repetition a few bytes of request could ask for any number of bytes of reply, all written before anything is sent. Valkey writes
    // until its memory is gone.
    private const long MaxRepetitions = 1 << 22;
    private const long MaxReplyBytes = 256L << 20;

    private RandomCount(long elements, bool isDistinct)
    {
        Elements = elements;
        IsDistinct = isDistinct;
    }

    /// <summary>Elements asked for.</summary>
    public long Elements { get; }

    /// <summary>Whether no element may come twice.</summary>
    public bool IsDistinct { get; }

    /// <summary>Parses an argument; writes the error and answers false when it is no such count.</summary>
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

    /// <summary>How many elements the reply has; writes the error and answers false when it would be too large.</summary>
    /// <param name="context">The call.</param>
    /// <param name="length">Elements of the collection.</param>
    /// <param name="bytes">About what the collection takes.</param>
    /// <param name="replies">Receives the number.</param>
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
