// Permits that come back. Disposed once, by any thread.
namespace Garnet.Caching.Limits;

/// <summary>Gives its permits back when it is disposed.</summary>
internal sealed class ConcurrencyLease(SharedConcurrencyLimiter limiter, string name, int permits) : LimitLease(isGranted: true, null)
{
    private int _isReturned;

    /// <summary>The members that stand for the permits.</summary>
    public IEnumerable<string> Members => Enumerable.Range(1, permits).Select(i => $"{name}:{i}");

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && Interlocked.Exchange(ref _isReturned, 1) == 0)
            limiter.Return(this);
        base.Dispose(disposing);
    }
}
