// Lets one message of a kind through at a time, as peers must not be able to fill the disk with log lines. Any thread.
namespace Garnet.Hosting.Tls;

/// <summary>At most one message per period; it includes the number of messages omitted since the last one.</summary>
internal sealed class ThrottledLog(TimeProvider time)
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private long _last;
    private long _leftOut;

    /// <summary>Whether to log now.</summary>
    public bool TryPass(out long leftOut)
    {
        lock (_gate)
        {
            long now = time.GetTimestamp();
            leftOut = _leftOut;
            if (_last != 0 && time.GetElapsedTime(_last, now) < Period)
            {
                _leftOut++;
                return false;
            }

            _last = now;
            _leftOut = 0;
            return true;
        }
    }
}
