// Takes the number of members of a sorted set. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>Keeps how many members there are; 0 when the sorted set is missing.</summary>
internal struct CardinalityReader : IValueReader
{
    /// <summary>Members.</summary>
    public long Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Length = new SortedSetView(value, info).Length;
}
