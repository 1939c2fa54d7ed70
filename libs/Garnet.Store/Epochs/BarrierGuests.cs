// Lets other threads into the store while the owner of the barrier pauses in the middle of a long run. Thread-safe.
namespace Garnet.Store.Epochs;

/// <summary>
/// Whoever holds the barrier for long opens a window between two of its steps: everybody who waits there gets in, and it goes on when they
/// have left. Nothing is changed on either side meanwhile, so guests may do what does not depend on data.
/// </summary>
internal sealed class BarrierGuests
{
    // What the calling thread is inside of, and how often.
    [ThreadStatic]
    private static BarrierGuests? t_inside;

    [ThreadStatic]
    private static int t_depth;

    private readonly object _gate = new();
    private volatile bool _isOffered;
    private bool _isOpen;
    private int _waiting;
    private int _inside;
    private long _windows;

    /// <summary>True from the first window of a run until its end.</summary>
    public bool IsOffered => _isOffered;

    /// <summary>Whether the calling thread is a guest, or the host within its window.</summary>
    public bool IsThreadInside => t_inside == this;

    /// <summary>Waits for the next window and enters it; false when the run has ended. A thread that is inside may enter again.</summary>
    public bool TryEnter()
    {
        if (!IsThreadInside && !TryBeAdmitted())
            return false;
        t_inside = this;
        t_depth++;
        return true;
    }

    /// <summary>Ends a visit.</summary>
    public void Leave()
    {
        if (--t_depth > 0)
            return;
        t_inside = null;
        lock (_gate)
        {
            if (--_inside == 0)
                Monitor.PulseAll(_gate);
        }
    }

    /// <summary>
    /// Pauses the run: admits everybody who waits, runs the host's own visits, and returns when all guests have left. The owner's thread.
    /// </summary>
    /// <param name="visit">What the host's thread does for its own guests.</param>
    /// <param name="state">Its argument.</param>
    public void Receive<TState>(Action<TState> visit, TState state)
    {
        lock (_gate)
        {
            _isOffered = true;
            _isOpen = true;
            _windows++;
            // On behalf of those who wait: the window might be closed again before they wake up.
            _inside += _waiting;
            _waiting = 0;
            Monitor.PulseAll(_gate);
        }

        t_inside = this;
        t_depth = 1;
        try
        {
            visit(state);
        }
        finally
        {
            t_inside = null;
            t_depth = 0;
            lock (_gate)
            {
                _isOpen = false;
                while (_inside > 0)
                    Monitor.Wait(_gate);
            }
        }
    }

    /// <summary>The run is over. The owner's thread, before it lowers the barrier.</summary>
    public void End()
    {
        if (!_isOffered)
            return;
        lock (_gate)
        {
            _isOffered = false;
            Monitor.PulseAll(_gate);
        }
    }

    private bool TryBeAdmitted()
    {
        lock (_gate)
        {
            if (!_isOffered)
                return false;
            if (_isOpen)
            {
                _inside++;
                return true;
            }

            long seen = _windows;
            _waiting++;
            while (_isOffered && _windows == seen)
                Monitor.Wait(_gate);
            if (_windows != seen)
                return true;
            _waiting--;
            return false;
        }
    }
}
