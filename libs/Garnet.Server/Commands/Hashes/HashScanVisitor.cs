// Writes the fields of an iteration as bulk replies. Lives on the stack of one command.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.Hashes;

/// <summary>
/// Writes each visited field that matches, with its value if wanted. Holds the writer by value, since it cannot be referenced; the caller takes it back from
/// <see cref="Reply"/> when it writes on.
/// </summary>
internal ref struct HashScanVisitor(RespWriter reply) : IHashVisitor
{
    /// <summary>Where the fields go.</summary>
    public RespWriter Reply = reply;

    /// <summary>Pattern the fields must match, when <see cref="HasPattern"/>.</summary>
    public ReadOnlySpan<byte> Pattern { get; init; }

    /// <summary>Whether there is a pattern.</summary>
    public bool HasPattern { get; init; }

    /// <summary>Whether values are left out.</summary>
    public bool FieldsOnly { get; init; }

    /// <summary>Replies written.</summary>
    public int Written { get; private set; }

    /// <inheritdoc/>
    public void Visit(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
        if (HasPattern && !GlobPattern.IsMatch(Pattern, field))
            return;
        Reply.WriteBulk(field);
        Written++;
        if (FieldsOnly)
            return;
        Reply.WriteBulk(value);
        Written++;
    }
}
