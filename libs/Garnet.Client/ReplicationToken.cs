// The place of a write in a primary's history. Immutable.
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Garnet.Client;

/// <summary>
/// Obtained from a primary after a write, and handed to a replica before a read, it makes sure that the read sees the write. Its text can
/// be kept in a session or a cookie.
/// </summary>
/// <param name="History">The identifier of the primary's history (<c>master_replid</c>): 40 characters.</param>
/// <param name="Position">The position in its stream (<c>master_repl_offset</c>).</param>
public readonly record struct ReplicationToken(string History, long Position)
{
    private const int HistoryLength = 40;

    /// <summary>Parses what <see cref="ToString"/> returned; false for anything else.</summary>
    public static bool TryParse([NotNullWhen(true)] string? text, out ReplicationToken token)
    {
        token = default;
        if (
            text is not { Length: > HistoryLength + 1 }
            || text[HistoryLength] != ':'
            || text.AsSpan(0, HistoryLength).ContainsAnyExcept("0123456789abcdefABCDEF")
            || !long.TryParse(text.AsSpan(HistoryLength + 1), NumberStyles.None, CultureInfo.InvariantCulture, out long position)
        )
        {
            return false;
        }

        token = new ReplicationToken(text[..HistoryLength], position);
        return true;
    }

    /// <summary>The history and the position, separated by a colon.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{History}:{Position}");
}
