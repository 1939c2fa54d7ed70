// What a caller does with the members that a scan of a sorted set meets. Called under the latch.
namespace Garnet.Store.Collections.SortedSets;

/// <summary>Takes members with their scores.</summary>
public interface IScoredVisitor
{
    /// <summary>Takes one; valid only during the call.</summary>
    void Visit(ReadOnlySpan<byte> member, double score);
}
