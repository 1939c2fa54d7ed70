// An element read from a collection: text in place, or an integer that represents its text. Lives on the stack.
using System.Buffers.Text;

namespace Garnet.Store.Collections;

/// <summary>
/// One element, member, field or value. The memory it refers to is invalid after the next change of the value, and after the read that
/// returned it.
/// </summary>
internal readonly ref struct PackedElement
{
    private readonly ReadOnlySpan<byte> _text;

    internal PackedElement(ReadOnlySpan<byte> text) => _text = text;

    internal PackedElement(long integer)
    {
        Integer = integer;
        IsInteger = true;
    }

    /// <summary>True when the element is stored as a 64-bit integer.</summary>
    public bool IsInteger { get; }

    /// <summary>The integer, when stored as one.</summary>
    public long Integer { get; }

    /// <summary>Length of the text in bytes.</summary>
    public int Length => IsInteger ? DigitsOf(Integer) : _text.Length;

    /// <summary>
    /// The text; an integer is rendered into one of the thread's small buffers (<see cref="ElementScratch"/>), which are used round-robin.
    /// </summary>
    public ReadOnlySpan<byte> Span => IsInteger ? ElementScratch.Current.Render(Integer) : _text;

    /// <summary>Copies the text into a target of at least <see cref="Length"/> bytes.</summary>
    public void CopyTo(Span<byte> target)
    {
        if (IsInteger)
            Utf8Formatter.TryFormat(Integer, target, out _);
        else
            _text.CopyTo(target);
    }

    /// <summary>True when a text is the shortest decimal form of a 64-bit integer, so that the integer can represent it.</summary>
    public static bool TryReadInteger(ReadOnlySpan<byte> text, out long integer) => ElementCode.TryParseInteger(text, out integer);

    internal int CompareTo(scoped ReadOnlySpan<byte> other)
    {
        if (!IsInteger)
            return _text.SequenceCompareTo(other);

        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(Integer, digits, out int length);
        return digits[..length].SequenceCompareTo(other);
    }

    private static int DigitsOf(long value)
    {
        ulong magnitude = value < 0 ? (ulong)-value : (ulong)value;
        int digits = value < 0 ? 2 : 1;
        while (magnitude >= 10)
        {
            magnitude /= 10;
            digits++;
        }

        return digits;
    }
}
