// Copies a string while it is read without a latch. Lives on the stack of one read.
using Garnet.Store;

namespace Garnet.Modules.Running;

/// <summary>Copies the value if it fits.</summary>
internal ref struct StringCopyReader(Span<byte> destination) : IValueReader
{
    private readonly Span<byte> _destination = destination;

    /// <summary>Length of the value.</summary>
    public int Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        Length = value.Length;
        value.TryCopyTo(_destination);
    }
}
