// Enumerates members of a sorted set. Lives on the stack.
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Modules;

/// <summary>Members of a sorted set in the order of their scores, for <c>foreach</c>.</summary>
public ref struct ScoredMembers
{
    private SortedSetEnumerator _members;

    internal ScoredMembers(SortedSetEnumerator members) => _members = members;

    /// <summary>The current member, invalid after the next change of the key.</summary>
    public readonly ReadOnlySpan<byte> Current => _members.Current.Member;

    /// <summary>Its score.</summary>
    public readonly double Score => _members.Current.Score;

    /// <summary>The enumerator itself.</summary>
    public readonly ScoredMembers GetEnumerator() => this;

    /// <summary>Goes to the next one; false after the last.</summary>
    public bool MoveNext() => _members.MoveNext();
}
