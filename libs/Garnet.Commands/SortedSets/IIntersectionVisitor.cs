// Receives the members of an intersection. Called under the latches.
namespace Garnet.Commands.SortedSets;

/// <summary>Receives the members that all operands contain.</summary>
internal interface IIntersectionVisitor
{
    /// <summary>Receives a member; false to stop.</summary>
    bool Visit(ReadOnlySpan<byte> member, double score);
}
