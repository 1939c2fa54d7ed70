// Members from which a sorted set is built in one step.
using Garnet.Store.Collections.Sets;

namespace Garnet.Store.Collections.SortedSets;

/// <summary>Members in sorted-set order: by score, then by the bytes of the member.</summary>
internal interface IScoredSource : IMemberSource
{
    /// <summary>The score of the member at an index; not NaN.</summary>
    double Score(int index);
}
