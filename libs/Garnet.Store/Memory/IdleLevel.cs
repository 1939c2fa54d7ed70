// Finds out how much of what is kept for reuse nobody needs. Used by one thread.
namespace Garnet.Store.Memory;

/// <summary>Watches a level over windows of time: what it never sank below in a window was kept for nothing.</summary>
internal struct IdleLevel
{
    private const long WindowMs = 2000;
    private long _least;
    private long _beganMs;

    /// <summary>Notes the level; at the end of each window what was idle through all of it, else 0.</summary>
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
        {
            return 0;
        }

        long idle = _least;
        _least = level;
        _beganMs = nowMs;
        return idle;
    }
}
