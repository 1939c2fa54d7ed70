// Reads a record's metadata and not its value. Lives on the stack of one read.
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Keeps type, expiry and value length of a record that is read without a latch.</summary>
internal struct RecordInfoReader : IKeyReader
{
    /// <summary>Metadata of the record.</summary>
    public RecordInfo Info { get; private set; }

    /// <summary>Length of the value in bytes.</summary>
    public int Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
    {
        Info = info;
        Length = value.Length;
    }
}
