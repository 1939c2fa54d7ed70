// Reads the length of a stream. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Reads the number of entries of a stream; 0 if it is absent.</summary>
internal struct StreamLengthReader : IValueReader
{
    /// <summary>Number of entries.</summary>
    public long Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Length = new StreamView(value, info).Length;
}
