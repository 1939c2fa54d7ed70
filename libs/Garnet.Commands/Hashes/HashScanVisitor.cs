// Writes the fields of an iteration as bulk strings. Lives on the stack of one command.
using Garnet.Commands.Keys;
using Garnet.Protocol;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>
/// Writes each visited field that matches, with its value if requested. Holds a copy of the writer, since a field cannot reference it; the
/// caller takes it back from <see cref="Reply"/> before it continues to write.
/// </summary>
internal ref struct HashScanVisitor(RespWriter reply, in ScanOptions options) : IHashVisitor
{
    private readonly ScanOptions _options = options;

    public RespWriter Reply = reply;

    /// <summary>Number of replies written.</summary>
    public int Written { get; private set; }

    /// <inheritdoc/>
    public void Visit(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
        if (!_options.IsMatch(field))
            return;
        Reply.WriteBulk(field);
        Written++;
        if (_options.KeysOnly)
            return;
        Reply.WriteBulk(value);
        Written++;
    }
}
