// One element of a packed list: text, or a number that represents its text. Valid as long as the bytes it points to.
using System.Buffers.Text;

namespace Garnet.Persistence.Rdb.Packed;

/// <summary>An element of a listpack, ziplist, zipmap or intset.</summary>
internal readonly ref struct PackedElement
{
    /// <summary>Maximum length of a number's text.</summary>
    public const int MaxDigits = 20;

    /// <summary>An element stored as text.</summary>
    public PackedElement(ReadOnlySpan<byte> text) => Text = text;

    /// <summary>An element stored as a number, with its text written into <paramref name="digits"/>.</summary>
    public PackedElement(long integer, byte[] digits)
    {
        Utf8Formatter.TryFormat(integer, digits, out int length);
        Text = digits.AsSpan(0, length);
        Integer = integer;
        IsInteger = true;
    }

    /// <summary>The element's bytes.</summary>
    public ReadOnlySpan<byte> Text { get; }

    /// <summary>The number, if it is one.</summary>
    public long Integer { get; }

    /// <summary>Whether the element was stored as a number.</summary>
    public bool IsInteger { get; }
}
