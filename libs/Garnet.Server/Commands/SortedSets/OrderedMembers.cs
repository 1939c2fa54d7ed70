// The members that a union has gathered, in the order of sorted sets. Lives on the stack of one command.
using Garnet.Server.CommandModel;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>Puts the members of a table in order; no more are added to it then.</summary>
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
