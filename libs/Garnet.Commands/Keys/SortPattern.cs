// A pattern of SORT's BY or GET. Used by the command's thread.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Keys;

/// <summary>
/// <c>#</c> is the element itself. Otherwise the first <c>*</c> is a placeholder for the element, and the result names a key, whose string
/// is the value, or, after <c>-></c>, a field of the key's hash. A pattern without <c>*</c> has no value.
/// </summary>
internal sealed class SortPattern
{
    private readonly byte[] _prefix = [];
    private readonly byte[] _suffix = [];
    private readonly byte[]? _field;
    private byte[] _keyBuffer = [];

    /// <summary>Parses the pattern.</summary>
    public SortPattern(ReadOnlySpan<byte> text)
    {
        // Valkey searches for all of these in a C string; only key and field may contain zero bytes.
        IsElement = ArgumentText.UpToZero(text).SequenceEqual("#"u8);
        int star = ArgumentText.UpToZero(text).IndexOf((byte)'*');
        HasPlaceholder = star >= 0;
        if (!HasPlaceholder)
            return;
        _prefix = text[..star].ToArray();
        ReadOnlySpan<byte> rest = text[(star + 1)..];
        ReadOnlySpan<byte> word = ArgumentText.UpToZero(rest);
        int arrow = word.IndexOf("->"u8);
        if (arrow >= 0 && arrow + 2 < word.Length)
        {
            _field = rest[(arrow + 2)..].ToArray();
            rest = rest[..arrow];
        }

        _suffix = rest.ToArray();
    }

    /// <summary>Whether it is <c>#</c>.</summary>
    public bool IsElement { get; }

    /// <summary>Whether it contains a <c>*</c>.</summary>
    public bool HasPlaceholder { get; }

    /// <summary>Whether it reads keys other than the sorted one.</summary>
    public bool ReadsKeys => HasPlaceholder && !IsElement;

    /// <summary>
    /// The value of the pattern for an element, valid until the next change or lookup; false if there is none. The session must run under
    /// the barrier if other keys are read.
    /// </summary>
    public bool TryResolve(scoped ref CommandContext context, ReadOnlySpan<byte> element, out ReadOnlySpan<byte> value)
    {
        value = element;
        if (IsElement)
            return true;
        return HasPlaceholder && TryRead(ref context, element, out value, out _);
    }

    /// <summary>
    /// As <see cref="TryResolve"/> for a pattern that reads other keys, kept in an arena: a large value as a counted reference, others as
    /// copies.
    /// </summary>
    public TextSlice Keep(scoped ref CommandContext context, ReadOnlySpan<byte> element, TextArena texts)
    {
        if (!TryRead(ref context, element, out ReadOnlySpan<byte> value, out RecordHandle record))
            return TextSlice.None;
        return _field is null && record.TryReferenceBlock(out ValueBlock block) ? texts.Add(block) : texts.Add(value);
    }

    /// <summary>Writes the value of the pattern for an element, or null; a large value is sent straight from the store.</summary>
    public void Write(scoped ref CommandContext context, ReadOnlySpan<byte> element)
    {
        ReadOnlySpan<byte> value = element;
        RecordHandle record = default;
        if (!IsElement && (!HasPlaceholder || !TryRead(ref context, element, out value, out record)))
            context.Reply.WriteNull();
        else if (!IsElement && _field is null)
            context.WriteString(in record);
        else
            context.Reply.WriteBulk(value);
    }

    private bool TryRead(
        scoped ref CommandContext context,
        ReadOnlySpan<byte> element,
        out ReadOnlySpan<byte> value,
        out RecordHandle record
    )
    {
        ReadOnlySpan<byte> key = KeyOf(element);
        record = context.Store.Open(key, context.Store.Hash(key));
        context.CountLookup(record.Exists, key);
        if (_field is null)
        {
            value = record.Exists && record.Type == RecordType.String ? record.Value : default;
            return record.Exists && record.Type == RecordType.String;
        }

        value = default;
        return record.Exists && record.Type == RecordType.Hash && new HashValue(record).TryGet(_field, out value);
    }

    private ReadOnlySpan<byte> KeyOf(ReadOnlySpan<byte> element)
    {
        int length = _prefix.Length + element.Length + _suffix.Length;
        if (_keyBuffer.Length < length)
            _keyBuffer = new byte[Math.Max(length, 2 * _keyBuffer.Length)];
        _prefix.CopyTo(_keyBuffer, 0);
        element.CopyTo(_keyBuffer.AsSpan(_prefix.Length));
        _suffix.CopyTo(_keyBuffer, _prefix.Length + element.Length);
        return _keyBuffer.AsSpan(0, length);
    }
}
