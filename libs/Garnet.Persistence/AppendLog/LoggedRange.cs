// Which part of the stream of effects the log's files hold, and where. Thread-safe.
namespace Garnet.Persistence.AppendLog;

/// <summary>
/// Relates positions in the stream to positions in the log, which lacks what is for replicas alone: a gap for each range of such bytes.
/// Only what has been logged since the log was opened is known. When there are too many gaps, the earliest are forgotten, and with them
/// everything before their end.
/// </summary>
internal sealed class LoggedRange(int maxGaps = LoggedRange.DefaultMaxGaps)
{
    // A gap for each PING, every ten seconds, and each WAIT: 1.5 MB.
    private const int DefaultMaxGaps = 64 * 1024;

    private readonly Lock _gate = new();
    private readonly List<Gap> _gaps = [];
    private readonly List<(int Generation, long Start)> _generations = [];
    private long _stream = long.MaxValue; // the first position that is known, and the one in the log that it corresponds to
    private long _log;

    /// <summary>Position in the stream of the first byte that the files hold; the maximum value while they hold none.</summary>
    public long First
    {
        get
        {
            lock (_gate)
                return _stream;
        }
    }

    /// <summary>The log follows the stream from here on.</summary>
    public void Begin(long stream, long log)
    {
        lock (_gate)
            (_stream, _log) = (stream, log);
    }

    /// <summary>A generation begins at a position in the log.</summary>
    public void BeginGeneration(int generation, long log)
    {
        lock (_gate)
            _generations.Add((generation, log));
    }

    /// <summary>Files of earlier generations may be deleted.</summary>
    public void ForgetBefore(int generation)
    {
        lock (_gate)
        {
            int kept = _generations.FindIndex(each => each.Generation >= generation);
            if (kept <= 0)
                return;
            _generations.RemoveRange(0, kept);
            long log = _generations[0].Start;
            if (_stream == long.MaxValue || log <= _log)
                return;
            int before = _gaps.FindLastIndex(gap => gap.Log < log);
            (_stream, _log) = before < 0 ? (_stream + log - _log, log) : (_gaps[before].End + log - _gaps[before].Log, log);
            _gaps.RemoveRange(0, before + 1);
        }
    }

    /// <summary>The log follows the stream no more.</summary>
    public void End()
    {
        lock (_gate)
        {
            _stream = long.MaxValue;
            _gaps.Clear();
        }
    }

    /// <summary>Bytes of the stream are not in the log.</summary>
    /// <param name="start">Their position in the stream.</param>
    /// <param name="length">Their number.</param>
    /// <param name="log">Position in the log of what follows them.</param>
    public void AddGap(long start, long length, long log)
    {
        lock (_gate)
        {
            if (_gaps.Count > 0 && _gaps[^1].End == start)
            {
                _gaps[^1] = _gaps[^1] with { End = start + length };
                return;
            }

            if (_gaps.Count == maxGaps)
            {
                int forgotten = (maxGaps + 1) / 2;
                (_stream, _log) = (_gaps[forgotten - 1].End, _gaps[forgotten - 1].Log);
                _gaps.RemoveRange(0, forgotten);
            }

            _gaps.Add(new Gap(start, start + length, log));
        }
    }

    /// <summary>The position in the log of a byte of the stream, or of what follows it if it is in a gap; -1 if it is not known.</summary>
    public long Find(long stream)
    {
        lock (_gate)
        {
            if (stream < _stream)
                return -1;
            int at = LastGapFrom(stream);
            return at < 0 ? _log + stream - _stream : _gaps[at].Log + Math.Max(0, stream - _gaps[at].End);
        }
    }

    /// <summary>The gap at or after a position in the stream, beyond everything when there is none; false if it is not known.</summary>
    public bool TryFindGap(long stream, out (long Start, long End) gap)
    {
        lock (_gate)
        {
            gap = (long.MaxValue, long.MaxValue);
            if (stream < _stream)
                return false;
            int at = LastGapFrom(stream);
            if (at < 0 || _gaps[at].End <= stream)
                at++;
            if (at < _gaps.Count)
                gap = (_gaps[at].Start, _gaps[at].End);
            return true;
        }
    }

    /// <summary>The generation that holds a position in the log.</summary>
    public int GenerationOf(long log)
    {
        lock (_gate)
            return _generations.FindLast(each => each.Start <= log).Generation;
    }

    // The last gap that begins at or before a position; -1 when there is none.
    private int LastGapFrom(long stream)
    {
        int low = 0;
        int high = _gaps.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (_gaps[middle].Start <= stream)
                low = middle + 1;
            else
                high = middle;
        }

        return low - 1;
    }

    private readonly record struct Gap(long Start, long End, long Log);
}
