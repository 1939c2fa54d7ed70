// Decides how many I/O threads a server should have, from samples of their load. Pure state machine: no clock, no threads; one caller.
namespace Garnet.Hosting.Tuning;

/// <summary>
/// Hill climbing with doubt: when the threads have been busy for a while one is added on trial, and stays only if the server then does
/// measurably more. On a machine where clients share the processors a further thread often takes from them what it gives; a trial that did
/// not pay is not repeated soon. Threads that the load no longer needs are retired one by one.
/// </summary>
internal sealed class IoThreadPolicy(int most)
{
    /// <summary>Busy share of all threads from which one more might help.</summary>
    private const double BusyShare = 0.85;

    /// <summary>A thread is retired when the others would be no busier than this without it.</summary>
    private const double RelaxedShare = 0.55;

    /// <summary>What a further thread must bring to stay.</summary>
    private const double WorthwhileGain = 1.05;

    /// <summary>Samples that must agree before anything is changed, and that a trial is judged by.</summary>
    private const int Window = 4;

    /// <summary>Samples after a change that say nothing, while connections move and caches warm up.</summary>
    private const int Settling = 2;

    private const int FirstPause = 40;
    private const int LongestPause = 1200;

    private readonly Queue<double> _rates = new();
    private int _busySamples;
    private int _relaxedSamples;
    private int _trialSamples = -1;
    private double _rateBefore;
    private int _pause;
    private int _nextPause = FirstPause;

    /// <summary>Takes a sample and gives the number of threads from now on.</summary>
    /// <param name="threads">Threads during the sample.</param>
    /// <param name="busyShare">Share of the sample's time that the threads were busy, averaged over them: 0 to 1.</param>
    /// <param name="rate">Commands per second in the sample.</param>
    public int Next(int threads, double busyShare, double rate)
    {
        _pause = Math.Max(0, _pause - 1);
        _rates.Enqueue(rate);
        while (_rates.Count > Window)
            _rates.Dequeue();
        if (_trialSamples >= 0)
            return JudgeTrial(threads, busyShare);

        _busySamples = busyShare >= BusyShare ? _busySamples + 1 : 0;
        _relaxedSamples = threads > 1 && busyShare * threads / (threads - 1) < RelaxedShare ? _relaxedSamples + 1 : 0;
        if (_relaxedSamples >= Window * 4)
        {
            _relaxedSamples = 0;
            return threads - 1;
        }

        if (_busySamples < Window || threads >= most || _pause > 0)
            return threads;
        _rateBefore = _rates.Average();
        _trialSamples = 0;
        return threads + 1;
    }

    private int JudgeTrial(int threads, double busyShare)
    {
        if (++_trialSamples < Settling + Window)
            return threads;
        _trialSamples = -1;
        _busySamples = 0;
        bool loadIsGone = busyShare * threads / Math.Max(1, threads - 1) < RelaxedShare;
        if (_rates.Average() >= _rateBefore * WorthwhileGain && !loadIsGone)
        {
            _nextPause = FirstPause;
            return threads;
        }

        _pause = _nextPause;
        _nextPause = Math.Min(_nextPause * 2, LongestPause);
        return threads - 1;
    }
}
