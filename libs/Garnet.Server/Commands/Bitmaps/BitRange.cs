// The part of a string that BITCOUNT and BITPOS look at. Plain values on the stack of one command.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Bitmaps;

/// <summary>A range as the client gave it: both ends counted, negative ones from the string's end, in bytes or bits.</summary>
internal readonly struct BitRange
{
    private readonly long _start;
    private readonly long _end;

    private BitRange(long start, long end, bool isGiven, bool hasEnd, bool inBits)
    {
        _start = start;
        _end = end;
        IsGiven = isGiven;
        HasEnd = hasEnd;
        InBits = inBits;
    }

    /// <summary>Whether any range was given.</summary>
    public bool IsGiven { get; }

    /// <summary>Whether an end was given.</summary>
    public bool HasEnd { get; }

    /// <summary>Whether the ends count bits.</summary>
    public bool InBits { get; }

    /// <summary>Whether both ends count from the string's end and cross.</summary>
    public bool IsCrossed => IsGiven && HasEnd && _start < 0 && _end < 0 && _start > _end;

    /// <summary>
    /// Parses <c>[start [end [BYTE | BIT]]]</c> from an argument on; writes the error and returns false when it is not that.
    /// </summary>
    public static bool TryParse(ref CommandContext context, int first, out BitRange range)
    {
        range = default;
        int given = context.Count - first;
        if (given == 0)
            return true;
        if (given > 3)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return false;
        }

        if (!context.TryGetInteger(first, out long start))
            return false;
        bool inBits = given == 3 && context.Is(first + 2, "BIT"u8);
        if (given == 3 && !inBits && !context.Is(first + 2, "BYTE"u8))
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return false;
        }

        long end = -1;
        if (given >= 2 && !context.TryGetInteger(first + 1, out end))
            return false;
        range = new BitRange(start, end, isGiven: true, hasEnd: given >= 2, inBits);
        return true;
    }

    /// <summary>
    /// The first and the last bit of the range in a string of <paramref name="length"/> bytes; none when first is greater.
    /// </summary>
    public (long First, long Last) InString(int length)
    {
        long bits = length * 8L;
        if (!IsGiven)
            return (0, bits - 1);
        long units = InBits ? bits : length;
        long first = Math.Max(_start < 0 ? _start + units : _start, 0);
        long last = HasEnd ? Math.Max(_end < 0 ? _end + units : _end, 0) : length - 1;
        last = Math.Min(last, units - 1);
        if (first > last)
            return (0, -1);
        return InBits ? (first, last) : (first * 8, (last * 8) + 7);
    }
}
