// Decides how many I/O threads a server should have, from samples of their load. Pure state machine: no clock, no threads; one caller.
namespace Garnet.Hosting.Tuning;

/// <summary>
/// Hill climbing with doubt: when the threads have been busy for a while their number is doubled on trial, and the new ones stay only if
/// the server then does measurably more. Where they do not pay, half as many are tried next, down to one. On a machine where clients share
/// the processors a further thread often takes from them what it gives; once a single thread did not pay, the next trial comes later and
/// later. Threads that the load no longer needs are retired one by one.
/// </summary>
internal sealed class IoThreadPolicy(int most)
{
    /// <summary>Busy share of all threads from which more might help.</summary>
    private const double BusyShare = 0.85;

    /// <summary>A thread is retired when the others would be no busier than this without it.</summary>
    private const double RelaxedShare = 0.55;

    /// <summary>What each further thread must bring for all of them to stay, and the most that is asked of several together.</summary>
    private const double WorthwhileGain = 0.05;
    private const double LargestGainAsked = 0.25;

    /// <summary>A clear gain ends a trial: this share of what threads as good as those before would bring, and at least so much.</summary>
    private const double ClearShare = 0.4;
    private const double MinClearGain = 0.2;

    /// <summary>A trial begins when the rates of the last samples differ by no more than this, or have not calmed down for long.</summary>
    private const double SteadyRange = 1.2;

    /// <summary>Samples that must agree before a trial, and for how many an unsteady rate delays it.</summary>
    private const int Window = 4;
    private const int LongestWait = 12;

    /// <summary>Samples after a change that say nothing, while connections move and caches warm up.</summary>
    private const int Settling = 2;

    /// <summary>Samples of a trial: with a clear gain, and without.</summary>
    private const int ShortTrial = 3;
    private const int FullTrial = 10;

    private const int RelaxedWindow = 40;
    private const int FirstPause = 100;
    private const int LongestPause = 3000;

    private readonly Queue<double> _rates = new();
    private int _busySamples;
    private int _relaxedSamples;
    private int _added; // on trial; 0 without one
    private int _trialSamples;
    private double _trialRates;
    private double _rateBefore;
    private int _step; // threads to add next; 0 for as many as there are
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
        if (_added > 0)
            return JudgeTrial(threads, busyShare, rate);

        _busySamples = busyShare >= BusyShare ? _busySamples + 1 : 0;
        _relaxedSamples = threads > 1 && busyShare * threads / (threads - 1) < RelaxedShare ? _relaxedSamples + 1 : 0;
        if (_relaxedSamples >= RelaxedWindow)
        {
            _relaxedSamples = 0;
            return threads - 1;
        }

        return MayTry(threads) ? BeginTrial(threads) : threads;
    }

    private bool MayTry(int threads) =>
        _busySamples >= Window
        && threads < most
        && _pause == 0
        && (_rates.Max() <= _rates.Min() * SteadyRange || _busySamples >= LongestWait);

    private int BeginTrial(int threads)
    {
        _rateBefore = _rates.Average();
        _trialSamples = 0;
        _trialRates = 0;
        _added = Math.Min(_step == 0 ? threads : _step, most - threads);
        return threads + _added;
    }

    private int JudgeTrial(int threads, double busyShare, double rate)
    {
        if (++_trialSamples <= Settling)
            return threads;
        _trialRates += rate;
        int samples = _trialSamples - Settling;
        double gain = (_trialRates / samples / _rateBefore) - 1;
        if (samples >= ShortTrial && gain >= ClearGain(threads))
            return Keep(threads);
        if (samples < FullTrial)
            return threads;
        bool loadIsGone = busyShare * threads / (threads - _added) < RelaxedShare;
        return gain >= Math.Min(WorthwhileGain * _added, LargestGainAsked) && !loadIsGone ? Keep(threads) : TakeBack(threads);
    }

    private double ClearGain(int threads) => Math.Max(MinClearGain, ClearShare * _added / (threads - _added));

    private int Keep(int threads)
    {
        (_added, _step, _busySamples) = (0, 0, 0);
        _nextPause = FirstPause;
        return threads;
    }

    private int TakeBack(int threads)
    {
        int before = threads - _added;
        _step = Math.Max(1, _added / 2);
        if (_added == 1)
        {
            _pause = _nextPause;
            _nextPause = Math.Min(_nextPause * 2, LongestPause);
        }

        (_added, _busySamples) = (0, 0);
        return before;
    }
}
