// Reads the number of members of a sorted set. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Reads the number of members; 0 if the sorted set is absent.</summary>
internal struct CardinalityReader : IValueReader
{
    /// <summary>Number of members.</summary>
    public long Length { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Length = new SortedSetView(value, info).Length;
}
