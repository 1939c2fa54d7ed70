// A path into a document: .member, ["member"] and [index]. Immutable.
using System.Buffers.Text;
using System.Text;

namespace Garnet.JsonDocuments;

/// <summary>The steps of a path such as <c>$.users[3].name</c>.</summary>
public sealed class JsonPath
{
    private const int MaxSteps = 64;

    private JsonPath(List<(string? Member, int Index)> steps) => Steps = steps;

    /// <summary>A member's name, or the index of an element.</summary>
    public IReadOnlyList<(string? Member, int Index)> Steps { get; }

    /// <summary>Reads a path; null when it is none.</summary>
    public static JsonPath? Parse(ReadOnlySpan<byte> text)
    {
        List<(string?, int)> steps = [];
        if (text is [(byte)'$', ..])
            text = text[1..];
        while (text.Length > 0 && steps.Count < MaxSteps)
        {
            int length = text[0] == '.' ? ReadName(text, steps) : ReadBrackets(text, steps);
            if (length == 0)
                return null;
            text = text[length..];
        }

        return text.Length == 0 ? new JsonPath(steps) : null;
    }

    private static int ReadName(ReadOnlySpan<byte> text, List<(string?, int)> steps)
    {
        int end = text[1..].IndexOfAny((byte)'.', (byte)'[');
        int length = end < 0 ? text.Length : end + 1;
        if (length > 1)
            steps.Add((Encoding.UTF8.GetString(text[1..length]), 0));
        return length > 1 ? length : 0;
    }

    private static int ReadBrackets(ReadOnlySpan<byte> text, List<(string?, int)> steps)
    {
        int end = text.IndexOf((byte)']');
        if (text[0] != '[' || end < 2)
            return 0;
        ReadOnlySpan<byte> inside = text[1..end];
        if (inside is [(byte)'"', .. var name, (byte)'"'])
            steps.Add((Encoding.UTF8.GetString(name), 0));
        else if (Utf8Parser.TryParse(inside, out int index, out int read) && read == inside.Length && index >= 0)
            steps.Add((null, index));
        else
            return 0;
        return end + 1;
    }
}
