// One element encoded as packed collections store it, ready to be compared with entries or written. Lives on the stack.
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Store.Collections;

/// <summary>
/// Each element has exactly one code, so equal elements are equal bytes and a search needs no decoding. Grammar, by the first byte: 0..95
/// text of that length; 96..159 the integers 0..63; 160..191 and one byte, the integers 64..8255; 192..199 an integer in 1..8 bytes (the
/// fewest that hold it); 200 a floating-point score in 8 bytes; 208..223 and one byte, text with a 12-bit length; 224 and four bytes,
/// longer text. A text is stored as an integer if it is that integer's shortest decimal form.
/// </summary>
internal readonly ref struct ElementCode
{
    public const int FirstSmallInteger = 96;
    public const int FirstMiddleInteger = 160;
    public const int FirstWideInteger = 192;
    public const int Score = 200;
    public const int FirstMiddleText = 208;
    public const int LongText = 224;
    public const int SmallIntegers = 64;
    public const int MiddleIntegers = 8192;
    private const int LongestInteger = 20;

    // The bytes between the tag and the text: the rest of a length, or an integer.
    private readonly ulong _extra;
    private readonly int _extraBytes;
    private readonly ReadOnlySpan<byte> _text;

    private ElementCode(int tag, ulong extra, int extraBytes, ReadOnlySpan<byte> text)
    {
        Tag = (byte)tag;
        _extra = extra;
        _extraBytes = extraBytes;
        _text = text;
    }

    /// <summary>The first byte of the code.</summary>
    public byte Tag { get; }

    /// <summary>Size of the code in bytes.</summary>
    public int Size => 1 + _extraBytes + _text.Length;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ElementCode Of(ReadOnlySpan<byte> text)
    {
        if (TryParseInteger(text, out long integer))
            return OfInteger(integer);

        return OfText(text);
    }

    /// <summary>The code of an element that was read from a collection.</summary>
    public static ElementCode Of(scoped in PackedElement element) => element.IsInteger ? OfInteger(element.Integer) : OfText(element.Span);

    // The text is known not to be an integer.
    private static ElementCode OfText(ReadOnlySpan<byte> text)
    {
        int length = text.Length;
        if (length < FirstSmallInteger)
            return new ElementCode(length, 0, 0, text);

        return length < 4096
            ? new ElementCode(FirstMiddleText + (length >> 8), (byte)length, 1, text)
            : new ElementCode(LongText, (uint)length, 4, text);
    }

    public static ElementCode OfInteger(long value)
    {
        if ((ulong)value < SmallIntegers)
            return new ElementCode(FirstSmallInteger + (int)value, 0, 0, default);

        ulong middle = (ulong)value - SmallIntegers;
        if (middle < MiddleIntegers)
            return new ElementCode(FirstMiddleInteger + (int)(middle >> 8), (byte)middle, 1, default);

        int bytes = IntegerBytes(value);
        return new ElementCode(FirstWideInteger + bytes - 1, (ulong)value, bytes, default);
    }

    /// <summary>The code of a sorted set's score; whole numbers that a double represents exactly are stored as integers.</summary>
    public static ElementCode OfScore(double score)
    {
        const double exact = 1L << 53;
        if (
            score is >= -exact and <= exact
            && (long)score is var whole
            && BitConverter.DoubleToUInt64Bits(whole) == BitConverter.DoubleToUInt64Bits(score)
        )
        {
            return OfInteger(whole);
        }

        return new ElementCode(Score, BitConverter.DoubleToUInt64Bits(score), 8, default);
    }

    /// <summary>True when a text is the shortest decimal form of a 64-bit integer.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryParseInteger(ReadOnlySpan<byte> text, out long value)
    {
        if ((uint)(text.Length - 1) < LongestInteger && (uint)(text[0] - '0') <= 9 | text[0] == '-')
            return TryParseLikely(text, out value);

        value = 0;
        return false;
    }

    /// <summary>Writes the code into a span of at least <see cref="Size"/> bytes. Returns the rest of the span.</summary>
    public Span<byte> WriteTo(Span<byte> target)
    {
        target[0] = Tag;
        ulong extra = _extra;
        for (int i = 1; i <= _extraBytes; i++)
        {
            target[i] = (byte)extra;
            extra >>= 8;
        }

        _text.CopyTo(target[(1 + _extraBytes)..]);
        return target[Size..];
    }

    /// <summary>True when the entry at the start of the span is this element.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Matches(ReadOnlySpan<byte> entry)
    {
        if (MemoryMarshal.GetReference(entry) != Tag || entry.Length < Size)
            return false;

        return _extraBytes == 0 ? entry.Slice(1, _text.Length).SequenceEqual(_text) : MatchesLong(entry);
    }

    private bool MatchesLong(ReadOnlySpan<byte> entry)
    {
        ulong extra = _extra;
        for (int i = 1; i <= _extraBytes; i++)
        {
            if (entry[i] != (byte)extra)
                return false;

            extra >>= 8;
        }

        return entry.Slice(1 + _extraBytes, _text.Length).SequenceEqual(_text);
    }

    private static bool TryParseLikely(ReadOnlySpan<byte> text, out long value)
    {
        int digits = text[0] == '-' ? 1 : 0;
        bool isCanonical = text.Length > digits && (text[digits] != '0' || text.Length == 1);
        value = 0;
        return isCanonical && Utf8Parser.TryParse(text, out value, out int consumed) && consumed == text.Length;
    }

    // The fewest bytes that hold the value in two's complement.
    private static int IntegerBytes(long value)
    {
        ulong magnitude = (ulong)(value < 0 ? ~value : value);
        return magnitude == 0 ? 1 : ((64 - System.Numerics.BitOperations.LeadingZeroCount(magnitude)) / 8) + 1;
    }
}
