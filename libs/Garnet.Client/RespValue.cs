// One reply as a tree. Immutable; any thread.
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using System.Text.Json.Serialization;

namespace Garnet.Client;

/// <summary>
/// A parsed reply: its kind, its bytes or number, and its children. <c>As...</c> and <c>TryGet...</c> read it as a .NET type, whichever
/// RESP type the server used; <see cref="ToString"/> returns a text that is equal exactly when replies are, for logs and comparisons.
/// <see cref="RespValueJsonConverter"/> writes it as JSON.
/// </summary>
[JsonConverter(typeof(RespValueJsonConverter))]
public sealed class RespValue
{
    internal RespValue() { }

    /// <summary>Its type on the wire.</summary>
    public RespKind Kind { get; internal init; }

    /// <summary>
    /// The payload of strings, errors and big numbers, and the text of doubles; empty for others. A verbatim string's has no format.
    /// </summary>
    public ReadOnlyMemory<byte> Bytes { get; internal init; }

    /// <summary>The elements of arrays, sets and pushes; the alternating keys and values of maps.</summary>
    public IReadOnlyList<RespValue> Children { get; internal init; } = [];

    /// <summary>The three letters of a verbatim string.</summary>
    public string? Format { get; internal init; }

    /// <summary>The alternating keys and values of the attribute sent before this reply, if there was one.</summary>
    public IReadOnlyList<RespValue>? Attributes { get; internal init; }

    /// <summary>True for all three nulls.</summary>
    public bool IsNull => Kind is RespKind.Null or RespKind.NullBulkString or RespKind.NullArray;

    /// <summary>True for both kinds of errors.</summary>
    public bool IsError => Kind is RespKind.Error or RespKind.BulkError;

    /// <summary>The text of an error, beginning with its code; null when the reply is not an error.</summary>
    public string? ErrorMessage => IsError ? Text : null;

    /// <summary>A child by its index.</summary>
    public RespValue this[int index] => Children[index];

    /// <summary>The value of an integer; 1 or 0 for a boolean.</summary>
    internal long Integer { get; init; }

    /// <summary>The value of a double.</summary>
    internal double Double { get; init; }

    /// <summary>The payload as UTF-8 text.</summary>
    internal string Text => Encoding.UTF8.GetString(Bytes.Span);

    /// <summary>The reply as text: for strings and numbers; null for a null.</summary>
    /// <exception cref="InvalidOperationException">It is an error, a boolean or an aggregate.</exception>
    public string? AsString() =>
        IsNull ? null
        : TryGetString(out string? value) ? value
        : throw NotA("text");

    /// <summary>The reply as an integer: for integers, booleans (1 or 0), and strings that contain an integer.</summary>
    /// <exception cref="InvalidOperationException">It is none of these.</exception>
    public long AsInt64() => TryGetInt64(out long value) ? value : throw NotA("an integer");

    /// <summary>The reply as a number: for doubles, integers, and strings that contain a number.</summary>
    /// <exception cref="InvalidOperationException">It is none of these.</exception>
    public double AsDouble() => TryGetDouble(out double value) ? value : throw NotA("a number");

    /// <summary>The reply as a Boolean: for booleans, and the integers 1 and 0.</summary>
    /// <exception cref="InvalidOperationException">It is neither.</exception>
    public bool AsBoolean() => TryGetBoolean(out bool value) ? value : throw NotA("a Boolean");

    /// <summary>Like <see cref="AsString"/>, but returns false where that throws, and for a null.</summary>
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

    /// <summary>Like <see cref="AsInt64"/>, but returns false where that throws.</summary>
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

    /// <summary>Like <see cref="AsDouble"/>, but returns false where that throws.</summary>
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

    /// <summary>Like <see cref="AsBoolean"/>, but returns false where that throws.</summary>
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

    // Text that would be ambiguous without quotes.
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
