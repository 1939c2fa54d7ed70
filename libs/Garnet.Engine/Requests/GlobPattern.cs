// Glob patterns over bytes, as used by KEYS, SCAN, CONFIG GET and PSUBSCRIBE. Pure functions, any thread.
namespace Garnet.Engine.Requests;

/// <summary>
/// Matches <c>*</c>, <c>?</c>, <c>[abc]</c>, <c>[^a-z]</c> and <c>\</c> escapes exactly as Valkey does, including its treatment of unclosed
/// classes. On a mismatch only the last star consumes one more byte, because every other element matches exactly one byte; so the time is
/// at most pattern length times text length, without any recursion whose depth depends on the pattern. A pattern with more than a thousand
/// stars before its end (runs count once) never matches.
/// </summary>
internal static class GlobPattern
{
    internal const int MaxStars = 1000;

    /// <summary>Whether the whole text matches.</summary>
    public static bool IsMatch(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> text, bool ignoreCase = false)
    {
        // A single star has never matched an empty text; KEYS * has its own shortcut.
        if (text.IsEmpty)
            return pattern.IsEmpty;
        int at = 0,
            element = 0;
        int starElement = -1,
            starText = 0,
            stars = 0;
        while (at < text.Length)
        {
            if (element < pattern.Length && pattern[element] == '*')
            {
                element += pattern[element..].IndexOfAnyExcept((byte)'*') is var run and >= 0 ? run : pattern.Length - element;
                if (element == pattern.Length)
                    return true;
                if (++stars > MaxStars)
                    return false;
                starElement = element;
                starText = at;
                continue;
            }
            if (element < pattern.Length && MatchesOne(pattern, ref element, text[at], ignoreCase))
            {
                at++;
                continue;
            }
            if (starElement < 0)
                return false;
            element = starElement;
            at = ++starText;
        }
        return pattern[element..].IndexOfAnyExcept((byte)'*') < 0;
    }

    // Compares one byte with the element at a position, and advances the position past the element when they match.
    private static bool MatchesOne(ReadOnlySpan<byte> pattern, ref int element, byte value, bool ignoreCase)
    {
        int next = element;
        bool matches;
        switch (pattern[next])
        {
            case (byte)'?':
                matches = true;
                next++;
                break;
            case (byte)'[':
                matches = MatchesClass(pattern, ref next, value, ignoreCase);
                break;
            default:
                if (pattern[next] == '\\' && next + 1 < pattern.Length)
                    next++;
                matches = Fold(pattern[next], ignoreCase) == Fold(value, ignoreCase);
                next++;
                break;
        }
        if (matches)
            element = next;
        return matches;
    }

    // '[' ['^'] { '\' byte | byte '-' byte | byte } [']']; a class that is not closed ends with the pattern.
    private static bool MatchesClass(ReadOnlySpan<byte> pattern, ref int next, byte value, bool ignoreCase)
    {
        next++;
        bool negated = next < pattern.Length && pattern[next] == '^';
        if (negated)
            next++;
        bool found = false;
        while (next < pattern.Length && pattern[next] != ']')
        {
            if (pattern[next] == '\\' && next + 1 < pattern.Length)
            {
                found |= pattern[next + 1] == value;
                next += 2;
            }
            else if (next + 2 < pattern.Length && pattern[next + 1] == '-')
            {
                found |= IsInRange(pattern[next], pattern[next + 2], value, ignoreCase);
                next += 3;
            }
            else
            {
                found |= Fold(pattern[next], ignoreCase) == Fold(value, ignoreCase);
                next++;
            }
        }
        if (next < pattern.Length)
            next++;
        return found != negated;
    }

    // Bytes from 0x80 on sort before ASCII, as in Valkey, where a char is signed.
    private static bool IsInRange(byte first, byte last, byte value, bool ignoreCase)
    {
        if ((sbyte)first > (sbyte)last)
            (first, last) = (last, first);
        sbyte folded = (sbyte)Fold(value, ignoreCase);
        return folded >= (sbyte)Fold(first, ignoreCase) && folded <= (sbyte)Fold(last, ignoreCase);
    }

    private static byte Fold(byte value, bool ignoreCase) =>
        ignoreCase && value is >= (byte)'A' and <= (byte)'Z' ? (byte)(value | 0x20) : value;
}
