// Collects the members of an intersection. Lives on the stack of one command.

namespace Garnet.Server.Commands.SortedSets;

/// <summary>Gathers every member for a detached sorted set, which the caller takes back.</summary>
internal ref struct IntersectionResult(SortedSetGathering gathering) : IIntersectionVisitor
{
    /// <summary>The members so far.</summary>
    public SortedSetGathering Gathering = gathering;

    /// <inheritdoc/>
    public bool Visit(ReadOnlySpan<byte> member, double score)
    {
        Gathering.Add(member, score);
        return true;
    }
}
