// What a caller does with the fields that a scan of a hash meets. Called under the latch.
namespace Garnet.Store.Collections.Hashes;

/// <summary>Takes fields with their values.</summary>
public interface IHashVisitor
{
    /// <summary>Takes one; valid only during the call.</summary>
    void Visit(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value);
}
