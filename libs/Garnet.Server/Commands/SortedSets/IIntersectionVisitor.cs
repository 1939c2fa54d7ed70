// What is done with the members of an intersection. Called under the latches.
namespace Garnet.Server.Commands.SortedSets;

/// <summary>Takes members that all operands have.</summary>
internal interface IIntersectionVisitor
{
    /// <summary>Takes one; false when no more are wanted.</summary>
    bool Visit(ReadOnlySpan<byte> member, double score);
}
