// Writes the members of an iteration as bulk replies. Lives on the stack of one command.
using Garnet.Protocol;
using Garnet.Server.Commands.Keys;
using Garnet.Store.Collections;

namespace Garnet.Server.Commands.Sets;

/// <summary>
/// Writes each visited member that matches. Holds the writer by value, since it cannot be referenced; the caller takes it back from
/// <see cref="Reply"/> when it writes on.
/// </summary>
internal ref struct SetScanVisitor(RespWriter reply, in ScanOptions options) : IElementVisitor
{
    private readonly ScanOptions _options = options;

    /// <summary>The reply.</summary>
    public RespWriter Reply = reply;

    /// <summary>Members written.</summary>
    public int Written { get; private set; }

    /// <inheritdoc/>
    public void Visit(ReadOnlySpan<byte> element)
    {
        if (!_options.IsMatch(element))
            return;
        Reply.WriteBulk(element);
        Written++;
    }
}
