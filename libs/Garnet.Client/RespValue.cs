// One reply as a tree. Immutable; any thread.
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using System.Text.Json.Serialization;

namespace Garnet.Client;

/// <summary>
/// A reply, made by the server's or client's parser: its kind, its bytes or number, and its children. <c>As...</c> and <c>TryGet...</c>
/// read it as a .NET type, whichever way the server wrote it; <see cref="ToString"/> gives a text that is equal exactly when replies are,
/// for logs and comparisons. As JSON it is written by <see cref="RespValueJsonConverter"/>.
/// </summary>
[JsonConverter(typeof(RespValueJsonConverter))]
public sealed class RespValue
{
    internal RespValue() { }

    /// <summary>What it is on the wire.</summary>
    public RespKind Kind { get; internal init; }

    /// <summary>
    /// The payload of strings, errors and big numbers, and the text of doubles; empty for others. A verbatim string's has no format.
    /// </summary>
    public ReadOnlyMemory<byte> Bytes { get; internal init; }

    /// <summary>The elements of arrays, sets and pushes; keys and values in turn of maps.</summary>
    public IReadOnlyList<RespValue> Children { get; internal init; } = [];

    /// <summary>The three letters of a verbatim string.</summary>
    public string? Format { get; internal init; }

    /// <summary>Keys and values in turn of the attribute sent before this reply, when there was one.</summary>
    public IReadOnlyList<RespValue>? Attributes { get; internal init; }

    /// <summary>True for all three nulls.</summary>
    public bool IsNull => Kind is RespKind.Null or RespKind.NullBulkString or RespKind.NullArray;

    /// <summary>True for both kinds of errors.</summary>
    public bool IsError => Kind is RespKind.Error or RespKind.BulkError;

    /// <summary>The text of an error, its code first; null when the reply is none.</summary>
    public string? ErrorMessage => IsError ? Text : null;

    /// <summary>A child by its index.</summary>
    public RespValue this[int index] => Children[index];

    /// <summary>The number of an integer; 1 or 0 of a boolean.</summary>
    internal long Integer { get; init; }

    /// <summary>The number of a double.</summary>
    internal double Double { get; init; }

    /// <summary>The payload as UTF-8 text.</summary>
    internal string Text => Encoding.UTF8.GetString(Bytes.Span);

    /// <summary>The reply as text: of strings and numbers; null of a null.</summary>
    /// <exception cref="InvalidOperationException">It is an error, a boolean, or an array or its like.</exception>
    public string? AsString() =>
        IsNull ? null
        : TryGetString(out string? value) ? value
        : throw NotA("text");

    /// <summary>The reply as an integer: of integers, booleans (1 or 0), and texts that are one.</summary>
    /// <exception cref="InvalidOperationException">It is nothing of that.</exception>
    public long AsInt64() => TryGetInt64(out long value) ? value : throw NotA("an integer");

    /// <summary>The reply as a number: of doubles, integers, and texts that are one.</summary>
    /// <exception cref="InvalidOperationException">It is nothing of that.</exception>
    public double AsDouble() => TryGetDouble(out double value) ? value : throw NotA("a number");

    /// <summary>The reply as a Boolean: one, or the integer 1 or 0.</summary>
    /// <exception cref="InvalidOperationException">It is nothing of that.</exception>
    public bool AsBoolean() => TryGetBoolean(out bool value) ? value : throw NotA("a Boolean");

    /// <summary>As <see cref="AsString"/>; false where that throws, and for a null.</summary>
    public bool TryGetString([NotNullWhen(true)] out string? value)
    {
        value = Kind switch
        {
            RespKind.SimpleString or RespKind.BulkString or RespKind.VerbatimString or RespKind.BigNumber or RespKind.Double => Text,
            RespKind.Integer => Integer.ToString(CultureInfo.InvariantCulture),
            _ => null,
        };
        return value is not null;
    }

    /// <summary>As <see cref="AsInt64"/>; false where that throws.</summary>
    public bool TryGetInt64(out long value)
    {
        if (Kind is RespKind.Integer or RespKind.Boolean)
        {
            value = Integer;
            return true;
        }

        value = 0;
        return IsText && long.TryParse(Bytes.Span, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value);
    }

    /// <summary>As <see cref="AsDouble"/>; false where that throws.</summary>
    public bool TryGetDouble(out double value)
    {
        if (Kind is RespKind.Integer or RespKind.Double)
        {
            value = Kind == RespKind.Integer ? Integer : Double;
            return true;
        }

        value = 0;
        return IsText && double.TryParse(Bytes.Span, NumberStyles.Float, CultureInfo.InvariantCulture, out value);
    }

    /// <summary>As <see cref="AsBoolean"/>; false where that throws.</summary>
    public bool TryGetBoolean(out bool value)
    {
        value = Integer == 1;
        return Kind == RespKind.Boolean || (Kind == RespKind.Integer && Integer is (0 or 1));
    }

    private bool IsText => Kind is RespKind.SimpleString or RespKind.BulkString or RespKind.VerbatimString or RespKind.BigNumber;

    private InvalidOperationException NotA(string what) =>
        new(IsError ? $"The reply is an error: {Text}" : $"The reply is not {what}: {Kind}.");

    /// <summary>
    /// The exact textual form: the wire's type letter, then numbers as they are, bulk strings (and, among others, lines with spaces) quoted
    /// with escapes, children in brackets.
    /// </summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        Append(text, isNested: false);
        return text.ToString();
    }

    private void Append(StringBuilder text, bool isNested)
    {
        if (Attributes is not null)
            AppendChildren(text, '|', Attributes);
        switch (Kind)
        {
            case RespKind.SimpleString:
                AppendQuoted(text.Append('+'), quote: isNested && HasDelimiter());
                break;
            case RespKind.Error:
                AppendQuoted(text.Append('-'), quote: isNested && HasDelimiter());
                break;
            case RespKind.Integer:
                text.Append(CultureInfo.InvariantCulture, $":{Integer}");
                break;
            case RespKind.BulkString:
                AppendQuoted(text, quote: true);
                break;
            case RespKind.NullBulkString:
                text.Append("$-1");
                break;
            case RespKind.NullArray:
                text.Append("*-1");
                break;
            case RespKind.Null:
                text.Append('_');
                break;
            case RespKind.Boolean:
                text.Append(Integer != 0 ? "#t" : "#f");
                break;
            case RespKind.Double:
                AppendQuoted(text.Append(','), quote: isNested && HasDelimiter());
                break;
            case RespKind.BigNumber:
                AppendQuoted(text.Append('('), quote: isNested && HasDelimiter());
                break;
            case RespKind.BulkError:
                AppendQuoted(text.Append('!'), quote: true);
                break;
            case RespKind.VerbatimString:
                AppendQuoted(text.Append('=').Append(Format).Append(':'), quote: true);
                break;
            default:
                AppendChildren(
                    text,
                    Kind switch
                    {
                        RespKind.Map => '%',
                        RespKind.Set => '~',
                        RespKind.Push => '>',
                        _ => '*',
                    },
                    Children
                );
                break;
        }
    }

    private static void AppendChildren(StringBuilder text, char type, IReadOnlyList<RespValue> children)
    {
        text.Append(type).Append('[');
        for (int i = 0; i < children.Count; i++)
        {
            if (i > 0)
                text.Append(' ');
            children[i].Append(text, isNested: true);
        }
        text.Append(']');
    }

    // What would make a line among others ambiguous.
    private bool HasDelimiter() => Bytes.Span.IndexOfAny(" \"[]"u8) >= 0;

    private void AppendQuoted(StringBuilder text, bool quote)
    {
        if (quote)
            text.Append('"');
        foreach (byte value in Bytes.Span)
        {
            if (value == (byte)'\\' || (value == (byte)'"' && quote))
                text.Append('\\').Append((char)value);
            else if (value is >= 0x20 and < 0x7F)
                text.Append((char)value);
            else
                text.Append(CultureInfo.InvariantCulture, $"\\x{value:x2}");
        }
        if (quote)
            text.Append('"');
    }
}
