// Finds and replaces parts of a document's text. Stateless; any thread.
using System.Text.Json;

namespace Garnet.JsonDocuments;

/// <summary>
/// Works on the text itself, which is valid JSON: no tree of objects is made, so a read allocates nothing but its path.
/// </summary>
public static class DocumentText
{
    /// <summary>How deep objects and arrays may lie in each other.</summary>
    public const int MaxDepth = 128;

    /// <summary>Whether bytes are one JSON value.</summary>
    public static bool IsValid(ReadOnlySpan<byte> text)
    {
        Utf8JsonReader reader = NewReader(text);
        try
        {
            while (reader.Read()) { }

            return reader.BytesConsumed > 0;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    /// <summary>Where the value at a path is; false when there is none.</summary>
    public static bool TryFind(ReadOnlySpan<byte> text, JsonPath path, int steps, out Range range)
    {
        Utf8JsonReader reader = NewReader(text);
        reader.Read();
        range = default;
        for (int i = 0; i < steps; i++)
        {
            (string? member, int index) = path.Steps[i];
            if (!(member is null ? TryGoToElement(ref reader, index) : TryGoToMember(ref reader, member)))
                return false;
        }

        int start = (int)reader.TokenStartIndex;
        reader.Skip();
        range = start..(int)reader.BytesConsumed;
        return true;
    }

    /// <summary>
    /// The document with another value at a path: an existing one is replaced; a new member is added to its object, a new element to the
    /// end of its array. Null when there is nothing to add it to.
    /// </summary>
    public static byte[]? Set(ReadOnlySpan<byte> text, JsonPath path, ReadOnlySpan<byte> value)
    {
        int steps = path.Steps.Count;
        if (TryFind(text, path, steps, out Range old))
            return [.. text[..old.Start.Value], .. value, .. text[old.End.Value..]];
        if (steps == 0 || !TryFind(text, path, steps - 1, out Range parent))
            return null;
        (string? member, int index) = path.Steps[steps - 1];
        ReadOnlySpan<byte> container = text[parent];
        bool isEmpty = container[1..^1].IndexOfAnyExcept(" \t\r\n"u8) < 0;
        ReadOnlySpan<byte> comma = isEmpty ? ""u8 : ","u8;
        int end = parent.End.Value - 1;
        if (container[0] == '{' && member is not null)
            return [.. text[..end], .. comma, .. Quote(member), (byte)':', .. value, .. text[end..]];
        return container[0] == '[' && member is null && index == CountOf(container)
            ? [.. text[..end], .. comma, .. value, .. text[end..]]
            : null;
    }

    /// <summary>The document without the value at a path, with the comma beside it; null when there is none or it is the whole.</summary>
    public static byte[]? Remove(ReadOnlySpan<byte> text, JsonPath path)
    {
        int steps = path.Steps.Count;
        if (steps == 0 || !TryFind(text, path, steps, out Range found))
            return null;
        (int start, int end) = (found.Start.Value, found.End.Value);
        if (path.Steps[steps - 1].Member is not null)
            start = StartOfMember(text, path, start);
        int before = text[..start].LastIndexOfAnyExcept(" \t\r\n"u8);
        int after = end + text[end..].IndexOfAnyExcept(" \t\r\n"u8);
        if (text[after] == ',')
            end = after + 1;
        else if (text[before] == ',')
            start = before;
        return [.. text[..start], .. text[end..]];
    }

    /// <summary>Number of elements of an array or members of an object; 0 for other values.</summary>
    public static int CountOf(ReadOnlySpan<byte> value)
    {
        Utf8JsonReader reader = NewReader(value);
        reader.Read();
        int count = 0;
        if (reader.TokenType is not (JsonTokenType.StartArray or JsonTokenType.StartObject))
            return 0;
        while (reader.Read() && reader.TokenType is not (JsonTokenType.EndArray or JsonTokenType.EndObject))
        {
            count++;
            if (reader.TokenType == JsonTokenType.PropertyName)
                reader.Read();
            reader.Skip();
        }

        return count;
    }

    private static Utf8JsonReader NewReader(ReadOnlySpan<byte> text) => new(text, new JsonReaderOptions { MaxDepth = MaxDepth });

    private static byte[] Quote(string member) => [(byte)'"', .. JsonEncodedText.Encode(member).EncodedUtf8Bytes, (byte)'"'];

    private static bool TryGoToMember(ref Utf8JsonReader reader, string member)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
            return false;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            bool isFound = reader.ValueTextEquals(member);
            reader.Read();
            if (isFound)
                return true;
            reader.Skip();
        }

        return false;
    }

    private static bool TryGoToElement(ref Utf8JsonReader reader, int index)
    {
        if (reader.TokenType != JsonTokenType.StartArray)
            return false;
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (index-- == 0)
                return true;
            reader.Skip();
        }

        return false;
    }

    // The quote before the name: the name itself may contain anything, so the object is read again.
    private static int StartOfMember(ReadOnlySpan<byte> text, JsonPath path, int valueStart)
    {
        TryFind(text, path, path.Steps.Count - 1, out Range parent);
        int offset = parent.Start.Value;
        Utf8JsonReader reader = NewReader(text[parent]);
        reader.Read();
        while (reader.Read())
        {
            int start = offset + (int)reader.TokenStartIndex;
            reader.Read();
            if (offset + (int)reader.TokenStartIndex == valueStart)
                return start;
            reader.Skip();
        }

        return valueStart;
    }
}
