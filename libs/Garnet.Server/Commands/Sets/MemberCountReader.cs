// Reads how many members a set has. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.Sets;

namespace Garnet.Server.Commands.Sets;

/// <summary>Takes the number of members.</summary>
internal struct MemberCountReader : IValueReader
{
    /// <summary>Number of members.</summary>
    public long Count { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Count = new SetView(value, in info).Length;
}
