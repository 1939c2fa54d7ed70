// Looks up a member in a set. Lives on the stack of one read.
using Garnet.Store;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Reads whether a set has a member.</summary>
internal ref struct MembershipReader(ReadOnlySpan<byte> member) : IValueReader
{
    private readonly ReadOnlySpan<byte> _member = member;

    /// <summary>Whether the set has the member.</summary>
    public bool IsMember { get; private set; }

    /// <inheritdoc/>
    public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => IsMember = new SetView(value, in info).Contains(_member);
}
