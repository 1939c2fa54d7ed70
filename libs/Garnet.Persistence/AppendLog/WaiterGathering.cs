// How long a group commit waits for those who are about to join. Used by the log's thread.
using System.Diagnostics;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// A sync takes as long for many waiters as for one, and while it runs it may take processor time from clients that would join. So a group
/// waits for as many waiters as recent groups had, as long as they keep arriving and no longer than a sync takes; occasionally it probes
/// whether more would arrive. A lone client is hardly ever delayed.
/// </summary>
internal sealed class WaiterGathering(DurabilityQueue waiters)
{
    private const int GroupsPerTrial = 32;
    private const int MaxStalls = 3;

    private int _expected;
    private int _groups;

    /// <summary>Waits for the next group.</summary>
    /// <param name="syncTime">How long the last sync took.</param>
    public void Wait(TimeSpan syncTime)
    {
        int waiting = waiters.Count;
        if (++_groups % GroupsPerTrial == 0)
            _expected = Math.Max(_expected, waiting) * 2;
        long start = Stopwatch.GetTimestamp();
        for (int stalls = 0; waiting < _expected && stalls < MaxStalls && Stopwatch.GetElapsedTime(start) < syncTime; )
        {
            int before = waiting;
            FileCalls.SleepBriefly();
            waiting = waiters.Count;
            stalls = waiting > before ? 0 : stalls + 1;
        }

        _expected = waiting;
    }
}
