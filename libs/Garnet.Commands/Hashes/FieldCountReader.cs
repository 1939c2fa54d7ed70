// Reads the number of fields of a hash. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Reads the number of fields, including expired ones that have not been removed yet.</summary>
internal struct FieldCountReader : IValueReader
{
    /// <summary>Number of fields.</summary>
    public long Count { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Count = new HashView(value, in info, long.MinValue).Length;
}
