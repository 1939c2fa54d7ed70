// Writes the members of an iteration as bulk replies. Lives on the stack of one command.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.Sets;

/// <summary>
/// Writes each visited member that matches. Holds the writer by value, since it cannot be referenced; the caller takes it back from <see cref="Reply"/> when it
/// writes on.
/// </summary>
internal ref struct SetScanVisitor(RespWriter reply) : IElementVisitor
{
    /// <summary>Where the members go.</summary>
    public RespWriter Reply = reply;

    /// <summary>Pattern the members must match, when <see cref="HasPattern"/>.</summary>
    public ReadOnlySpan<byte> Pattern { get; init; }

    /// <summary>Whether there is a pattern.</summary>
    public bool HasPattern { get; init; }

    /// <summary>Members written.</summary>
    public int Written { get; private set; }

    /// <inheritdoc/>
    public void Visit(ReadOnlySpan<byte> element)
    {
        if (HasPattern && !GlobPattern.IsMatch(Pattern, element))
            return;
        Reply.WriteBulk(element);
        Written++;
    }
}
