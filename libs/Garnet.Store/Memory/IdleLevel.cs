// Determines how much of a reserve kept for reuse is not needed. Used by one thread.
namespace Garnet.Store.Memory;

/// <summary>Observes a level over time windows: its minimum in a window was not needed.</summary>
internal struct IdleLevel
{
    private const long WindowMs = 2000;
    private long _least;
    private long _beganMs;

    /// <summary>Records the level; at the end of each window returns the amount that was idle throughout, otherwise 0.</summary>
    public long Note(long level, long nowMs)
    {
        if (_beganMs == 0 || nowMs < _beganMs)
        {
            _least = level;
            _beganMs = nowMs;
            return 0;
        }

        _least = Math.Min(_least, level);
        if (nowMs - _beganMs < WindowMs)
            return 0;

        long idle = _least;
        _least = level;
        _beganMs = nowMs;
        return idle;
    }
}
