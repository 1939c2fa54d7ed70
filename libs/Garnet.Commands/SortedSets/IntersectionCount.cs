// Counts the members of an intersection. Lives on the stack of one command.
namespace Garnet.Commands.SortedSets;

/// <summary>Counts members up to a limit.</summary>
internal struct IntersectionCount(long limit) : IIntersectionVisitor
{
    /// <summary>Number of members visited.</summary>
    public long Count { get; private set; }

    /// <inheritdoc/>
    public bool Visit(ReadOnlySpan<byte> member, double score) => ++Count < limit;
}
