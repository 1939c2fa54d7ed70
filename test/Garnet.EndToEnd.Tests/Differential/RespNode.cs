// A parsed reply, for comparisons that need its structure. Immutable after parsing; any thread.
using System.Globalization;
using System.Text;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>One RESP value: its type byte, its text (scalars) or its children (aggregates).</summary>
internal sealed class RespNode
{
    private RespNode(char type, byte[]? payload, RespNode[]? children)
    {
        Type = type;
        Payload = payload;
        Children = children;
    }

    /// <summary>The first byte on the wire.</summary>
    public char Type { get; }

    /// <summary>A scalar's bytes; null for nulls and aggregates.</summary>
    public byte[]? Payload { get; }

    /// <summary>An aggregate's elements (a map's keys and values alternate); null for nulls and scalars.</summary>
    public RespNode[]? Children { get; }

    /// <summary>True for the nulls of both protocols.</summary>
    public bool IsNull => Payload is null && Children is null;

    /// <summary>True for simple and bulk errors.</summary>
    public bool IsError => Type is '-' or '!';

    /// <summary>A scalar's bytes as text, one character per byte.</summary>
    public string Text => Payload is null ? "" : Encoding.Latin1.GetString(Payload);

    /// <summary>A scalar as a number, if it is one.</summary>
    public long? Number => long.TryParse(Text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long value) ? value : null;

    /// <summary>Parses one complete reply.</summary>
    public static RespNode Parse(byte[] reply)
    {
        int position = 0;
        return Parse(reply, ref position);
    }

    /// <summary>Whether type and content are equal, in the same order.</summary>
    public bool SameAs(RespNode other)
    {
        if (Type != other.Type || IsNull != other.IsNull || (Payload is null) != (other.Payload is null))
            return false;
        if (Payload is not null)
            return Payload.AsSpan().SequenceEqual(other.Payload);
        return Children is null
            || (Children.Length == other.Children!.Length && Children.Zip(other.Children).All(pair => pair.First.SameAs(pair.Second)));
    }

    /// <summary>A text that does not depend on the order of elements in maps and sets.</summary>
    public string Canonical()
    {
        if (Children is null)
            return IsNull ? "_" : $"{Type}{Text}";
        IEnumerable<string> parts = Type switch
        {
            '%' => Children.Chunk(2).Select(pair => $"{pair[0].Canonical()}={pair[1].Canonical()}").Order(StringComparer.Ordinal),
            '~' => Children.Select(child => child.Canonical()).Order(StringComparer.Ordinal),
            _ => Children.Select(child => child.Canonical()),
        };
        return $"{Type}{{{string.Join(",", parts)}}}";
    }

    /// <summary>A copy without the elements, at any depth, that match a condition.</summary>
    public RespNode Without(Predicate<RespNode> condition) =>
        Children is null
            ? this
            : new RespNode(Type, Payload, [.. Children.Where(child => !condition(child)).Select(child => child.Without(condition))]);

    private static RespNode Parse(byte[] reply, ref int position)
    {
        char type = (char)reply[position];
        int end = position + reply.AsSpan(position).IndexOf("\r\n"u8);
        byte[] line = reply[(position + 1)..end];
        position = end + 2;
        if (type is '+' or '-' or ':' or '_' or '#' or ',' or '(')
            return new RespNode(type, type == '_' ? null : line, null);
        int length = int.Parse(Encoding.ASCII.GetString(line), CultureInfo.InvariantCulture);
        if (length < 0)
            return new RespNode(type, null, null);
        if (type is '$' or '=' or '!')
        {
            byte[] payload = reply[position..(position + length)];
            position += length + 2;
            return new RespNode(type, payload, null);
        }

        var children = new RespNode[type is '%' or '|' ? length * 2 : length];
        for (int i = 0; i < children.Length; i++)
            children[i] = Parse(reply, ref position);
        return new RespNode(type, null, children);
    }
}
