// Reads how many fields a hash has. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Server.Commands.Hashes;

/// <summary>Takes the number of fields, those included that have expired and were not removed yet.</summary>
internal struct FieldCountReader : IValueReader
{
    /// <summary>Number of fields.</summary>
    public long Count { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Count = new HashView(value, in info, long.MinValue).Length;
}
