// Members that are to become a sorted set at once.
using Garnet.Store.Collections.Sets;

namespace Garnet.Store.Collections.SortedSets;

/// <summary>Members in the order of sorted sets: by score, then by the bytes of the member.</summary>
public interface IScoredSource : IMemberSource
{
    /// <summary>A member's score, which is a number.</summary>
    double Score(int index);
}
