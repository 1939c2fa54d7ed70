// An instance's membership over one connection, and the lease by which it may serve what it keeps. Thread-safe.
namespace Garnet.Caching.Coherence;

/// <summary>
/// Counts the changes that have been applied. The lease is extended to a renewal's own time of sending once all changes up to the number
/// that its reply carried have been applied: they may be applied in any order, but none may be missing.
/// </summary>
/// <param name="member">The member's field in the server.</param>
/// <param name="sequence">The number of the last change before it was registered.</param>
/// <param name="leaseTicks">How long a lease lasts, in units of the clock's timestamps.</param>
/// <param name="tags">The generations that it knows.</param>
/// <param name="beganAt">When the registration was answered.</param>
internal sealed class CacheSession(string member, long sequence, long leaseTicks, TagTable tags, long beganAt)
{
    private readonly Lock _gate = new();
    private readonly SortedSet<long> _ahead = [];
    private long _applied = sequence;
    private long _awaited = sequence;
    private long _sentAt = long.MinValue / 2;
    private long _liveUntil = long.MinValue;
    private bool _isEnded;

    /// <summary>The member's field in the server.</summary>
    public string Member => member;

    /// <summary>The generations of tags.</summary>
    public TagTable Tags => tags;

    /// <summary>When it began.</summary>
    public long BeganAt => beganAt;

    /// <summary>Whether it has ended for good.</summary>
    public bool IsEnded => Volatile.Read(ref _isEnded);

    /// <summary>Whether what is kept may be served at a moment, which must have been read after the caller began.</summary>
    public bool IsLive(long timestamp) => timestamp < Volatile.Read(ref _liveUntil);

    /// <summary>Counts a change that has been applied.</summary>
    public void Applied(long number)
    {
        lock (_gate)
        {
            if (number <= _applied)
                return;
            _ahead.Add(number);
            while (_ahead.Remove(_applied + 1))
                _applied++;
            if (_applied >= _awaited)
                Extend();
        }
    }

    /// <summary>A renewal was answered.</summary>
    /// <param name="number">The number of the last change before it was executed.</param>
    /// <param name="sentAt">When it was sent.</param>
    /// <returns>False when changes are still missing that an earlier renewal had reported: they are lost.</returns>
    public bool Renewed(long number, long sentAt)
    {
        lock (_gate)
        {
            if (_applied < _awaited)
                return false;
            (_awaited, _sentAt) = (number, sentAt);
            if (_applied >= _awaited)
                Extend();
            return true;
        }
    }

    /// <summary>Nothing that belongs to it may be served any more.</summary>
    public void End()
    {
        lock (_gate)
        {
            Volatile.Write(ref _isEnded, true);
            Volatile.Write(ref _liveUntil, long.MinValue);
        }

        tags.EndAll();
    }

    private void Extend()
    {
        if (!_isEnded)
            Volatile.Write(ref _liveUntil, Math.Max(_liveUntil, _sentAt + leaseTicks));
    }
}
