// How fast the modes that measure all keys go. One thread.
namespace Garnet.Cli.Modes;

/// <summary>
/// Work and pauses alternate, so that a server that has other clients spends most of each millisecond on them. How long a pause is follows
/// from how long the requests before it took.
/// </summary>
/// <param name="clock">Measures the requests.</param>
/// <param name="pause">Waits.</param>
internal sealed class ScanPace(TimeProvider clock, Action<TimeSpan> pause)
{
    private const int PausePerWork = 4; // work is a fifth of the time

    // Timers are not more precise: what would be shorter is added to the next.
    private static readonly TimeSpan MinPause = TimeSpan.FromMilliseconds(1);

    // A server that was stopped, or one request of a second, is no reason to wait for many seconds.
    private static readonly TimeSpan MaxPause = TimeSpan.FromMilliseconds(100);

    // Shorter round trips are the work of processors, the client's among them, rather than of a network.
    private static readonly TimeSpan MinNetworkTime = TimeSpan.FromMilliseconds(0.2);

    private long _workingSince = clock.GetTimestamp();
    private int _roundTrips;
    private TimeSpan _shortest = TimeSpan.MaxValue;

    /// <summary>Counts a round trip, whose least time is that of the network.</summary>
    /// <param name="sent">When the requests were sent, as a timestamp of the clock.</param>
    public void CountRoundTrip(long sent)
    {
        TimeSpan time = clock.GetElapsedTime(sent);
        _roundTrips++;
        if (time < _shortest)
            _shortest = time;
    }

    /// <summary>Forgets the time since the last pause, which was spent waiting.</summary>
    public void Begin()
    {
        _roundTrips = 0;
        _workingSince = clock.GetTimestamp();
    }

    /// <summary>Pauses if the work since the last pause is worth one.</summary>
    public void PauseIfDue()
    {
        TimeSpan network = _shortest < MinNetworkTime || _roundTrips == 0 ? TimeSpan.Zero : _shortest * _roundTrips;
        TimeSpan due = (clock.GetElapsedTime(_workingSince) - network) * PausePerWork;
        if (due < MinPause)
            return;
        pause(due < MaxPause ? due : MaxPause);
        Begin();
    }
}
