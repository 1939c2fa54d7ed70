// The range that BITCOUNT and BITPOS search. Plain values on the stack of one command.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Bitmaps;

/// <summary>A range as the client specified it: inclusive, in bytes or bits; negative indexes count from the string's end.</summary>
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

    /// <summary>Whether a range was specified.</summary>
    public bool IsGiven { get; }

    /// <summary>Whether its end was specified.</summary>
    public bool HasEnd { get; }

    /// <summary>Whether start and end are in bits.</summary>
    public bool InBits { get; }

    /// <summary>Whether start and end are both negative and the start is after the end.</summary>
    public bool IsCrossed => IsGiven && HasEnd && _start < 0 && _end < 0 && _start > _end;

    /// <summary>Parses <c>[start [end [BYTE | BIT]]]</c>; writes the error and returns false if it is invalid.</summary>
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
    /// The first and the last bit of the range in a string of <paramref name="length"/> bytes; the range is empty if first is greater.
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
