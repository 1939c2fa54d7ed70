// A glob pattern compiled for matching many texts. Immutable; any thread.
namespace Garnet.Engine.Requests;

/// <summary>
/// Matches like <see cref="GlobPattern"/>, case-sensitively, but parses each character class only once, at construction: the cost of a text
/// does not depend on the length of the classes. The literal after a star is searched for with vector instructions.
/// </summary>
internal sealed class GlobMatcher
{
    /// <summary>
    /// Longer patterns are not worth compiling: each class takes 32 bytes, and the pattern of a request may have hundreds of megabytes.
    /// </summary>
    public const int MaxPatternBytes = 64 * 1024;

    private const int WordsPerClass = 4;
    private readonly Element[] _elements;
    private readonly ulong[] _classes;

    /// <summary>Compiles a pattern of up to <see cref="MaxPatternBytes"/>.</summary>
    public GlobMatcher(ReadOnlySpan<byte> pattern)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(pattern.Length, MaxPatternBytes);
        List<Element> read = [];
        List<ulong> bits = [];
        for (int next = 0; next < pattern.Length; )
            read.Add(Read(pattern, ref next, bits));
        (_elements, _classes) = ([.. read], [.. bits]);
    }

    private enum Kind : byte
    {
        Literal,
        Any,
        Class,
        Stars,
    }

    /// <summary>Whether the whole text matches.</summary>
    public bool IsMatch(ReadOnlySpan<byte> text)
    {
        // A single star has never matched an empty text.
        if (text.IsEmpty)
            return _elements.Length == 0;
        int at = 0,
            element = 0;
        int starElement = -1,
            starText = 0,
            stars = 0;
        while (at < text.Length)
        {
            if (element < _elements.Length && _elements[element].Kind == Kind.Stars)
            {
                if (++element == _elements.Length)
                    return true;
                if (++stars > GlobPattern.MaxStars)
                    return false;
                starElement = element;
                starText = at;
            }
            else if (element < _elements.Length && Matches(_elements[element], text[at]))
            {
                element++;
                at++;
                continue;
            }
            else
            {
                if (starElement < 0)
                    return false;
                element = starElement;
                at = ++starText;
            }

            // After a star nothing matches before the next occurrence of the first byte of the literal.
            if (_elements[element].Kind == Kind.Literal)
            {
                int skipped = text[at..].IndexOf(_elements[element].Value);
                if (skipped < 0)
                    return false;
                at = starText = at + skipped;
            }
        }

        return element == _elements.Length || (element == _elements.Length - 1 && _elements[element].Kind == Kind.Stars);
    }

    private bool Matches(Element element, byte value) =>
        element.Kind switch
        {
            Kind.Literal => element.Value == value,
            Kind.Any => true,
            _ => (_classes[element.FirstWord + (value >> 6)] >> (value & 63) & 1) != 0,
        };

    private static Element Read(ReadOnlySpan<byte> pattern, ref int next, List<ulong> classes)
    {
        byte first = pattern[next++];
        switch (first)
        {
            case (byte)'*':
                while (next < pattern.Length && pattern[next] == '*')
                    next++;
                return new Element(Kind.Stars, 0, 0);
            case (byte)'?':
                return new Element(Kind.Any, 0, 0);
            case (byte)'[':
                return ReadClass(pattern, ref next, classes);
            case (byte)'\\' when next < pattern.Length:
                return new Element(Kind.Literal, pattern[next++], 0);
            default:
                return new Element(Kind.Literal, first, 0);
        }
    }

    // '[' ['^'] { '\' byte | byte '-' byte | byte } [']']; a class that is not closed ends with the pattern.
    private static Element ReadClass(ReadOnlySpan<byte> pattern, ref int next, List<ulong> classes)
    {
        Span<ulong> bits = stackalloc ulong[WordsPerClass];
        bits.Clear();
        bool isNegated = next < pattern.Length && pattern[next] == '^';
        if (isNegated)
            next++;
        while (next < pattern.Length && pattern[next] != ']')
        {
            if (pattern[next] == '\\' && next + 1 < pattern.Length)
            {
                Add(bits, pattern[next + 1], pattern[next + 1]);
                next += 2;
            }
            else if (next + 2 < pattern.Length && pattern[next + 1] == '-')
            {
                Add(bits, pattern[next], pattern[next + 2]);
                next += 3;
            }
            else
            {
                Add(bits, pattern[next], pattern[next]);
                next++;
            }
        }

        if (next < pattern.Length)
            next++;
        var element = new Element(Kind.Class, 0, classes.Count);
        foreach (ulong word in bits)
            classes.Add(isNegated ? ~word : word);
        return element;
    }

    // Bytes from 0x80 on sort before ASCII, as in Valkey, where a char is signed.
    private static void Add(Span<ulong> bits, byte first, byte last)
    {
        (int from, int to) = (Math.Min((sbyte)first, (sbyte)last), Math.Max((sbyte)first, (sbyte)last));
        for (int value = from; value <= to; value++)
            bits[(byte)value >> 6] |= 1UL << (value & 63);
    }

    private readonly record struct Element(Kind Kind, byte Value, int FirstWord);
}
