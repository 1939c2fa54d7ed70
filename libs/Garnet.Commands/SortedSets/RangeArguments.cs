// Parses the ends of score and member ranges. Stateless.
using System.Globalization;
using Garnet.Engine.Execution;
using Garnet.Protocol;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Parses two arguments that are the ends of a range.</summary>
internal static class RangeArguments
{
    /// <summary>Parses scores; a leading <c>(</c> makes an end exclusive. Writes the error and returns false if they are invalid.</summary>
    public static bool TryGetScores(ref CommandContext context, int min, int max, out ScoreRange range)
    {
        range = default;
        if (
            TryParseScore(context[min], out double lower, out bool isMinExclusive)
            && TryParseScore(context[max], out double upper, out bool isMaxExclusive)
        )
        {
            range = new ScoreRange(lower, upper, isMinExclusive, isMaxExclusive);
            return true;
        }

        context.Reply.WriteError("ERR min or max is not a float"u8);
        return false;
    }

    /// <summary>
    /// Parses members after <c>[</c> or <c>(</c>, or <c>-</c> and <c>+</c>; writes the error and returns false if they are invalid.
    /// </summary>
    public static bool TryGetMembers(scoped ref CommandContext context, int min, int max, out LexRange range)
    {
        if (TryParseBound(context[min], out LexBound minKind) && TryParseBound(context[max], out LexBound maxKind))
        {
            range = new LexRange
            {
                Min = context[min][1..],
                Max = context[max][1..],
                MinKind = minKind,
                MaxKind = maxKind,
            };
            return true;
        }

        range = default;
        context.Reply.WriteError("ERR min or max not valid string range item"u8);
        return false;
    }

    // As in Valkey: a zero byte ends the text, an empty text is zero, and a number that is too large is infinite.
    private static bool TryParseScore(ReadOnlySpan<byte> text, out double score, out bool isExclusive)
    {
        isExclusive = !text.IsEmpty && text[0] == (byte)'(';
        if (isExclusive)
            text = text[1..];
        text = ArgumentText.UpToZero(text);
        score = 0;
        if (text.IsEmpty || DoubleText.TryParse(text, out score))
            return true;
        return text.IndexOfAnyExcept("0123456789+-.eE"u8) < 0
            && double.TryParse(
                text,
                NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent,
                CultureInfo.InvariantCulture,
                out score
            )
            && (score == 0 || double.IsInfinity(score));
    }

    private static bool TryParseBound(ReadOnlySpan<byte> text, out LexBound kind)
    {
        kind = default;
        if (text.IsEmpty)
            return false;
        bool isSign = text[0] is (byte)'-' or (byte)'+';
        kind = text[0] switch
        {
            (byte)'-' => LexBound.NegativeInfinity,
            (byte)'+' => LexBound.PositiveInfinity,
            (byte)'[' => LexBound.Inclusive,
            _ => LexBound.Exclusive,
        };
        return isSign ? text.Length == 1 || text[1] == 0 : text[0] is (byte)'[' or (byte)'(';
    }
}
