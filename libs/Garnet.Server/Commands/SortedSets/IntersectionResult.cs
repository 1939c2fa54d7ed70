// Collects the members of an intersection. Lives on the stack of one command.
using Garnet.Store;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>Puts every member into a detached sorted set, which the caller takes back.</summary>
internal ref struct IntersectionResult(SortedSetValue result) : IIntersectionVisitor
{
    /// <summary>The members so far.</summary>
    public SortedSetGathering Gathering = new(result);

    /// <inheritdoc/>
    public bool Visit(ReadOnlySpan<byte> member, double score)
    {
        Gathering.Add(member, score);
        return true;
    }
}
