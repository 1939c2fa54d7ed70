// Reads the length of a field's value. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Reads the length of a field's value and whether the field exists.</summary>
internal ref struct FieldLengthReader(ReadOnlySpan<byte> field, long nowMs) : IValueReader
{
    private readonly ReadOnlySpan<byte> _field = field;

    /// <summary>Whether the hash has the field.</summary>
    public bool IsFound { get; private set; }

    /// <summary>Length in bytes; 0 if the field does not exist.</summary>
    public int Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        var hash = new HashView(value, in info, nowMs);
        IsFound = hash.TryGet(_field, out PackedElement element);
        Length = IsFound ? element.Length : 0;
    }
}
