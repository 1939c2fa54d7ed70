// Reads the length of a list. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Reads the number of elements of a list; 0 if it is absent.</summary>
internal struct ListLengthReader : IValueReader
{
    /// <summary>Number of elements.</summary>
    public long Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Length = new ListView(value, info).Length;
}
