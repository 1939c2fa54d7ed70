// Reads the length of a list. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.Lists;

namespace Garnet.Server.Commands.Lists;

/// <summary>Keeps how many elements a list has; 0 when it is missing.</summary>
internal struct ListLengthReader : IValueReader
{
    /// <summary>Elements.</summary>
    public long Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Length = new ListView(value, info).Length;
}
