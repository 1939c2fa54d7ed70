// Collects the members of an intersection. Lives on the stack of one command.

namespace Garnet.Commands.SortedSets;

/// <summary>Collects all members for a detached sorted set; the caller takes the collection back.</summary>
internal ref struct IntersectionResult(SortedSetGathering gathering) : IIntersectionVisitor
{
    /// <summary>The members collected so far.</summary>
    public SortedSetGathering Gathering = gathering;

    /// <inheritdoc/>
    public bool Visit(ReadOnlySpan<byte> member, double score)
    {
        Gathering.Add(member, score);
        return true;
    }
}
