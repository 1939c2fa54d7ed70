// Writes the members of an iteration as bulk replies. Lives on the stack of one command.
using System.Globalization;
using Garnet.Protocol;
using Garnet.Server.Commands.Keys;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>
/// Writes each visited member that passes the pattern, and its score unless only members are wanted. Holds the writer by value, since it
/// cannot be referenced; the caller takes it back from <see cref="Reply"/>.
/// </summary>
internal ref struct ScoredReplyVisitor(RespWriter reply, in ScanOptions options, bool isListPack) : IScoredVisitor
{
    private readonly ScanOptions _options = options;

    /// <summary>The reply.</summary>
    public RespWriter Reply = reply;

    /// <summary>Bulk strings written.</summary>
    public int Written { get; private set; }

    /// <inheritdoc/>
    public void Visit(ReadOnlySpan<byte> member, double score)
    {
        if (!_options.IsMatch(member))
            return;
        Reply.WriteBulk(member);
        Written++;
        if (_options.KeysOnly)
            return;
        Written++;
        if (isListPack || !double.IsFinite(score))
            Reply.WriteBulkDouble(score);
        else
            WriteWithSeventeenDigits(score);
    }

    // The reference prints the scores of a skiplist so here, and nowhere else.
    private void WriteWithSeventeenDigits(double score)
    {
        Span<byte> text = stackalloc byte[DoubleText.MaxLength];
        score.TryFormat(text, out int length, "g17", CultureInfo.InvariantCulture);
        Reply.WriteBulk(text[..length]);
    }
}
