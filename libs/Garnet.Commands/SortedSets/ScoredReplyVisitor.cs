// Writes the members of an iteration as bulk strings. Lives on the stack of one command.
using System.Globalization;
using Garnet.Commands.Keys;
using Garnet.Protocol;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>
/// Writes each visited member that matches, and its score unless NOSCORES is set. Holds a copy of the writer, since a field cannot
/// reference it; the caller takes it back from <see cref="Reply"/>.
/// </summary>
internal ref struct ScoredReplyVisitor(RespWriter reply, in ScanOptions options, bool isListPack) : IScoredVisitor
{
    private readonly ScanOptions _options = options;

    public RespWriter Reply = reply;

    /// <summary>Number of bulk strings written.</summary>
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

    // Only here, and only for a skiplist, Valkey formats scores with 17 digits.
    private void WriteWithSeventeenDigits(double score)
    {
        Span<byte> text = stackalloc byte[DoubleText.MaxLength];
        score.TryFormat(text, out int length, "g17", CultureInfo.InvariantCulture);
        Reply.WriteBulk(text[..length]);
    }
}
