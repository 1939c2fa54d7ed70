// An element read from a collection: text where it lies, or an integer that stands for its text. Lives on the stack.
using System.Buffers.Text;

namespace Garnet.Store.Collections;

/// <summary>
/// One element, member, field or value. What it refers to is void after the next change of the value, and after the read that gave it.
/// </summary>
public readonly ref struct PackedElement
{
    private readonly ReadOnlySpan<byte> _text;

    internal PackedElement(ReadOnlySpan<byte> text) => _text = text;

    internal PackedElement(long integer)
    {
        Integer = integer;
        IsInteger = true;
    }

    /// <summary>True when the element is kept as a 64-bit integer.</summary>
    public bool IsInteger { get; }

    /// <summary>The integer, when it is kept as one.</summary>
    public long Integer { get; }

    /// <summary>Bytes of the text.</summary>
    public int Length => IsInteger ? DigitsOf(Integer) : _text.Length;

    /// <summary>
    /// The text; that of an integer is rendered into one of the thread's small buffers (<see cref="ElementScratch"/>), which are used in
    /// turn.
    /// </summary>
    public ReadOnlySpan<byte> Span => IsInteger ? ElementScratch.Current.Render(Integer) : _text;

    /// <summary>Copies the text; the target has room for <see cref="Length"/> bytes.</summary>
    public void CopyTo(Span<byte> target)
    {
        if (IsInteger)
        {
            Utf8Formatter.TryFormat(Integer, target, out _);
        }
        else
        {
            _text.CopyTo(target);
        }
    }

    /// <summary>True when a text is the shortest decimal form of a 64-bit integer, so that the integer can stand for it.</summary>
    public static bool TryReadInteger(ReadOnlySpan<byte> text, out long integer) => ElementCode.TryParseInteger(text, out integer);

    internal int CompareTo(scoped ReadOnlySpan<byte> other)
    {
        if (!IsInteger)
        {
            return _text.SequenceCompareTo(other);
        }

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
