// Receives the members that a scan of a sorted set visits. Called under the latch.
namespace Garnet.Store.Collections.SortedSets;

/// <summary>Receives members with their scores.</summary>
internal interface IScoredVisitor
{
    /// <summary>Receives one member; the span is valid only during the call.</summary>
    void Visit(ReadOnlySpan<byte> member, double score);
}
