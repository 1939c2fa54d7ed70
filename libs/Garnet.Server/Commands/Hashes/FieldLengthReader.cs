// Reads how long a field's value is. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Server.Commands.Hashes;

/// <summary>Reads the length of a field's value, which also tells whether there is such a field.</summary>
internal ref struct FieldLengthReader(ReadOnlySpan<byte> field, long nowMs) : IValueReader
{
    private readonly ReadOnlySpan<byte> _field = field;

    /// <summary>True when the hash has the field.</summary>
    public bool IsFound { get; private set; }

    /// <summary>Length in bytes; 0 when there is no such field.</summary>
    public int Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        var hash = new HashView(value, in info, nowMs);
        IsFound = hash.TryGet(_field, out PackedElement element);
        Length = IsFound ? element.Length : 0;
    }
}
