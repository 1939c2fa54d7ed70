// Error replies counted by error code. Thread-safe by a lock, since errors are rare.
using System.Collections.Frozen;
using System.Text;
using Garnet.Protocol;

namespace Garnet.Engine.Counters;

/// <summary>
/// Counts error replies by their first word, for INFO errorstats; after 128 codes, further ones that scripts and modules make up are
/// counted together.
/// </summary>
internal sealed class ErrorTally : IErrorObserver
{
    private const int MaxCodes = 128;
    private const int MaxCodeLength = 32;
    private const string Overflow = "ERRORSTATS_OVERFLOW";

    // The server's own codes.
    private static readonly FrozenSet<string> Known = FrozenSet.ToFrozenSet(
        [
            "ERR",
            "BUSY",
            "BUSYGROUP",
            "BUSYKEY",
            "DENIED",
            "EXECABORT",
            "IOERR",
            "LOADING",
            "MASTERDOWN",
            "MISCONF",
            "NOAUTH",
            "NOGOODSLAVE",
            "NOGROUP",
            "NOMASTERLINK",
            "NOPERM",
            "NOPROTO",
            "NOREPLICAS",
            "NOSCRIPT",
            "NOTBUSY",
            "OOM",
            "READONLY",
            "REDIRECT",
            "UNBLOCKED",
            "UNKILLABLE",
            "WRONGPASS",
            "WRONGTYPE",
        ],
        StringComparer.Ordinal
    );

    private readonly Lock _gate = new();
    private readonly Dictionary<string, long> _counts = new(StringComparer.Ordinal);

    /// <inheritdoc/>
    public void OnError(ReadOnlySpan<byte> text)
    {
        int end = text[..Math.Min(text.Length, MaxCodeLength)].IndexOf((byte)' ');
        string code = end > 0 ? Encoding.Latin1.GetString(text[..end]) : "ERR";
        lock (_gate)
        {
            if (_counts.Count >= MaxCodes && !_counts.ContainsKey(code) && !Known.Contains(code))
                code = Overflow;
            _counts[code] = _counts.GetValueOrDefault(code) + 1;
        }
    }

    /// <summary>Adds the counts to those of other threads.</summary>
    public void AddTo(SortedDictionary<string, long> sums)
    {
        lock (_gate)
        {
            foreach ((string code, long count) in _counts)
                sums[code] = sums.GetValueOrDefault(code) + count;
        }
    }

    /// <summary>Resets all counts.</summary>
    public void Clear()
    {
        lock (_gate)
            _counts.Clear();
    }
}
