// Copies a value out of the store, for commands that compute long. Lives on the stack of one read.
using Garnet.Store;

namespace Garnet.Server.Commands.Strings;

/// <summary>Takes a copy of a value.</summary>
internal struct CopyReader : IValueReader
{
    private byte[]? bytes;

    /// <summary>The copy; empty when nothing was read.</summary>
    public readonly byte[] Bytes => bytes ?? [];

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => bytes = value.ToArray();
}
