// When the saver works and when it sleeps. Used by the saver's thread only.
using System.Diagnostics;

namespace Garnet.Persistence.Snapshots;

/// <summary>
/// Work is done in slices of at most 100 microseconds, because on busy processors each is taken from clients; between slices the thread
/// sleeps, holding nothing. With <c>auto</c> the number of slices between sleeps follows the foreground load: one while clients keep the
/// process busy; with less load it grows from sleep to sleep, and is halved when a sleep ends late, because no processor was free.
/// </summary>
internal sealed class SavePace
{
    private const int MaxSlices = 64;

    // With busy clients: together with a sleep of a little over a millisecond this uses less than a tenth of a processor. What other paces
    // take from clients is in docs/decisions/the-pace-of-a-save.md.
    private const int BusySlices = 1;
    private const int SampleMs = 25;

    private const int Unpaced = -1;

    // Without pacing: one sleep of a little over a millisecond per this many pieces.
    private const int RestPieces = 4;

    // Above this share of all processors the foreground counts as busy; below the other one as idle.
    private const double BusyShare = 0.2;
    private const double AbsentShare = 0.02;

    // Above this fill level of the pool there is no sleep; below it, more slices follow each other the fuller the pool is.
    private const double PressingShare = 0.6;
    private const double SlicesForFill = 24;
    private static readonly long SliceTicks = Stopwatch.Frequency / 10_000;
    private static readonly long LateTicks = Stopwatch.Frequency * 2 / 1000;
    private readonly Func<int?> _delayMs;
    private readonly bool _isUrgent;
    private long _sliceStart = Stopwatch.GetTimestamp();
    private long _ownTicks;
    private long _sampleStart;
    private TimeSpan _sampleProcessor;
    private double _busyShare = 1;
    private int _burst = 1;
    private int _slices;
    private int _pieces;

    public SavePace(Func<int?> delayMs, bool isUrgent)
    {
        _delayMs = delayMs;
        _isUrgent = isUrgent;
        _sampleStart = _sliceStart;
        _sampleProcessor = Environment.CpuUsage.TotalTime;
    }

    /// <summary>True when the slice of time is used up.</summary>
    public bool IsSliceOver => Stopwatch.GetTimestamp() - _sliceStart >= SliceTicks;

    /// <summary>Milliseconds between pieces; -1 for no pacing, null for automatic.</summary>
    private int? DelayMs => _isUrgent ? Unpaced : _delayMs();

    /// <summary>Ends a slice and sleeps according to the pace; the caller holds neither epoch nor latch.</summary>
    /// <param name="fill">How full the pool of old images is, 0 to 1: writers must not wait because the saver sleeps.</param>
    public void EndSlice(double fill)
    {
        long now = Stopwatch.GetTimestamp();
        _ownTicks += now - _sliceStart;
        int? delay = DelayMs;
        if (delay == 0)
            Thread.Sleep(0);
        else if (delay is null or > 0 && fill < PressingShare)
            RestAfterSlice(delay, fill, now);
        _sliceStart = Stopwatch.GetTimestamp();
    }

    /// <summary>After a piece was written to the device: sleeps for the fixed delay, if one is set.</summary>
    /// <param name="fill">As for <see cref="EndSlice"/>.</param>
    public void AfterPiece(double fill)
    {
        int? delay = DelayMs;
        if (delay is > 0 and int sleep && fill < PressingShare)
            Thread.Sleep(sleep);
        else if (delay == Unpaced && !_isUrgent && ++_pieces % RestPieces == 0 && fill < PressingShare)
            Thread.Sleep(1);

        // Time spent in the device does not count as work.
        _sliceStart = Stopwatch.GetTimestamp();
    }

    private void RestAfterSlice(int? delay, double fill, long now)
    {
        if (delay is null && ++_slices < Math.Max(Burst(now), fill * SlicesForFill))
            return;
        _slices = 0;
        Thread.Sleep(1);
        bool isLate = Stopwatch.GetTimestamp() - now > LateTicks;
        _burst = isLate ? Math.Max(1, _burst / 2) : Math.Min(MaxSlices, _burst + 1);
    }

    private int Burst(long now)
    {
        SampleIfDue(now);
        return _busyShare >= BusyShare ? BusySlices
            : _busyShare < AbsentShare ? MaxSlices
            : _burst;
    }

    private void SampleIfDue(long now)
    {
        if (now - _sampleStart <= Stopwatch.Frequency * SampleMs / 1000)
            return;
        TimeSpan processor = Environment.CpuUsage.TotalTime;
        double own = _ownTicks / (double)Stopwatch.Frequency;
        double seconds = (now - _sampleStart) / (double)Stopwatch.Frequency;
        _busyShare = Math.Max(0, (processor - _sampleProcessor).TotalSeconds - own) / (seconds * Environment.ProcessorCount);
        (_sampleStart, _sampleProcessor, _ownTicks) = (now, processor, 0);
    }
}
