// Reads only the length of a value. Lives on the stack of one read.
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Reads the length of a value.</summary>
internal struct LengthReader : IValueReader
{
    /// <summary>Length in bytes.</summary>
    public int Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Length = value.Length;
}
