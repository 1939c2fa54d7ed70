// Reads the length of a stream. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.Streams;

namespace Garnet.Server.Commands.Streams;

/// <summary>Keeps how many entries a stream has; 0 when it is missing.</summary>
internal struct StreamLengthReader : IValueReader
{
    /// <summary>Entries.</summary>
    public long Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Length = new StreamView(value, info).Length;
}
