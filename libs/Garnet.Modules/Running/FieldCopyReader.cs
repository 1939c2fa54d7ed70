// Copies a field of a hash while it is read without a latch. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Modules.Running;

/// <summary>Copies the field's value if it fits.</summary>
internal ref struct FieldCopyReader(ReadOnlySpan<byte> field, long nowMs, Span<byte> destination) : IValueReader
{
    private readonly ReadOnlySpan<byte> _field = field;
    private readonly Span<byte> _destination = destination;

    /// <summary>Whether the hash has the field.</summary>
    public bool IsFound { get; private set; }

    /// <summary>Length of its value.</summary>
    public int Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        var hash = new HashView(value, in info, nowMs);
        IsFound = hash.TryGet(_field, out PackedElement element);
        Length = IsFound ? element.Length : 0;
        if (IsFound && Length <= _destination.Length)
            element.CopyTo(_destination[..Length]);
    }
}
