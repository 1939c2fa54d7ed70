// Reads the number of members of a set. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Reads the number of members.</summary>
internal struct MemberCountReader : IValueReader
{
    /// <summary>Number of members.</summary>
    public long Count { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Count = new SetView(value, in info).Length;
}
