// Receives a value that is read without a latch. Called on the reading thread, possibly several times for one read.
namespace Garnet.Store;

/// <summary>
/// Consumes a value during an optimistic read. <see cref="Read"/> may be called again with different bytes when a writer interfered, and
/// may see torn bytes (never out of bounds): it must start over on each call, and its result must not be used until the read has returned.
/// </summary>
internal interface IValueReader
{
    /// <summary>Receives the value's bytes; they are valid only during the call.</summary>
    /// <param name="value">The bytes of the value (inline or in a block).</param>
    /// <param name="info">Type, expiry and length of the record.</param>
    void Read(ReadOnlySpan<byte> value, in RecordInfo info);
}
