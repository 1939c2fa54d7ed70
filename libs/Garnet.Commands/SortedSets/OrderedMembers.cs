// The members of a union, sorted in the order of sorted sets. Lives on the stack of one command.
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Sorts the members of a table; none may be added afterwards.</summary>
internal readonly ref struct OrderedMembers(MemberTable members) : IScoredSource
{
    private readonly ReadOnlySpan<int> _order = members.Sort();

    /// <inheritdoc/>
    public int Count => _order.Length;

    /// <inheritdoc/>
    public ReadOnlySpan<byte> Member(int index) => members.Member(_order[index]);

    /// <inheritdoc/>
    public double Score(int index) => members.Score(_order[index]);
}
