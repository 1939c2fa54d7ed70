// Receives the fields that a scan of a hash visits. Called under the latch.
namespace Garnet.Store.Collections.Hashes;

/// <summary>Receives fields with their values.</summary>
internal interface IHashVisitor
{
    /// <summary>Receives one field; the spans are valid only during the call.</summary>
    void Visit(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value);
}
