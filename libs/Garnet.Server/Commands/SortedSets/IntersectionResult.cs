// Collects the members of an intersection. Lives on the stack of one command.
using Garnet.Store;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>Puts every member into a detached sorted set, which the caller takes back.</summary>
internal ref struct IntersectionResult(SortedSetValue result) : IIntersectionVisitor
{
    /// <summary>The sorted set.</summary>
    public SortedSetValue Result = result;

    /// <inheritdoc/>
    public bool Visit(ReadOnlySpan<byte> member, double score)
    {
        Result.Set(StoreSession.CopyAside(member), score, out _);
        return true;
    }
}
