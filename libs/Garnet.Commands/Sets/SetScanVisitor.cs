// Writes the members of an iteration as bulk strings. Lives on the stack of one command.
using Garnet.Commands.Keys;
using Garnet.Protocol;
using Garnet.Store.Collections;

namespace Garnet.Commands.Sets;

/// <summary>
/// Writes each visited member that matches. Holds a copy of the writer, since a field cannot reference it; the caller takes it back from
/// <see cref="Reply"/> before it continues to write.
/// </summary>
internal ref struct SetScanVisitor(RespWriter reply, in ScanOptions options) : IElementVisitor
{
    private readonly ScanOptions _options = options;

    public RespWriter Reply = reply;

    /// <summary>Number of members written.</summary>
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
