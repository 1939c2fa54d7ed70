// Takes a record's facts and leaves its value alone. Lives on the stack of one read.
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>Keeps type, expiry and length of a record read without a latch.</summary>
internal struct RecordInfoReader : IValueReader
{
    /// <summary>What the record is.</summary>
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
