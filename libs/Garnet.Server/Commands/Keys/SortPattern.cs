// A pattern of SORT's BY and GET. Immutable.
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// <c>#</c> is the element itself; otherwise the first <c>*</c> stands for the element and the whole for a key, whose string is meant, or, behind <c>-></c>, the field of its hash.
/// Without <c>*</c> it means nothing.
/// </summary>
internal sealed class SortPattern
{
    private readonly byte[] prefix = [];
    private readonly byte[] suffix = [];
    private readonly byte[]? field;

    /// <summary>Reads the pattern.</summary>
    public SortPattern(ReadOnlySpan<byte> text)
    {
        IsElement = text.SequenceEqual("#"u8);
        int star = text.IndexOf((byte)'*');
        HasPlace = star >= 0;
        if (!HasPlace)
            return;
        prefix = text[..star].ToArray();
        ReadOnlySpan<byte> rest = text[(star + 1)..];
        int arrow = rest.IndexOf("->"u8);
        if (arrow >= 0 && arrow + 2 < rest.Length)
        {
            field = rest[(arrow + 2)..].ToArray();
            rest = rest[..arrow];
        }

        suffix = rest.ToArray();
    }

    /// <summary>Whether it is <c>#</c>.</summary>
    public bool IsElement { get; }

    /// <summary>Whether it has a <c>*</c>.</summary>
    public bool HasPlace { get; }

    /// <summary>Whether other keys than the sorted one are read for it.</summary>
    public bool ReadsKeys => HasPlace && !IsElement;

    /// <summary>What an element is replaced by; null when there is no such thing. The session runs alone if other keys are read.</summary>
    public byte[]? Resolve(ref CommandContext context, byte[] element)
    {
        if (IsElement)
            return element;
        if (!HasPlace)
            return null;
        byte[] key = [.. prefix, .. element, .. suffix];
        RecordHandle record = context.Store.Open(key, context.Store.Hash(key));
        context.CountLookup(record.Exists);
        if (!record.Exists)
            return null;
        if (field is null)
            return record.Type == RecordType.String ? record.Value.ToArray() : null;
        return record.Type == RecordType.Hash && new HashValue(record).TryGet(field, out ReadOnlySpan<byte> value) ? value.ToArray() : null;
    }
}
