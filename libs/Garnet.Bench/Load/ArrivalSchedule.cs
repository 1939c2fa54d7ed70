// When the requests of an open loop are due. One thread.
using Garnet.Bench.Options;
using Garnet.Bench.Workloads;

namespace Garnet.Bench.Load;

/// <summary>
/// The moments of one thread's requests, which do not depend on what the server does: one that is late stays due, so that a server that
/// stops is charged for all requests that would have come meanwhile.
/// </summary>
internal sealed class ArrivalSchedule
{
    private readonly ArrivalPattern _pattern;
    private readonly SeededRandom _random;
    private readonly double _ticksBetween;
    private readonly double _offset;
    private readonly long _start;
    private double _sum;
    private long _index;

    /// <summary>Creates the schedule of one of several threads, which together have the rate.</summary>
    /// <param name="pattern">The distances between requests.</param>
    /// <param name="rate">Requests a second, of all threads.</param>
    /// <param name="thread">Which thread, counted from 0.</param>
    /// <param name="threads">How many there are.</param>
    /// <param name="start">The timestamp at which the schedule begins.</param>
    /// <param name="frequency">Timestamps a second.</param>
    /// <param name="random">Source of random distances.</param>
    public ArrivalSchedule(ArrivalPattern pattern, double rate, int thread, int threads, long start, long frequency, SeededRandom random)
    {
        _pattern = pattern;
        _random = random;
        _start = start;
        _ticksBetween = frequency / rate * threads;
        _offset = frequency / rate * thread;
        if (pattern == ArrivalPattern.Poisson)
            _sum = NextDistance();
        Next = Moment();
    }

    /// <summary>The timestamp at which the next request is due.</summary>
    public long Next { get; private set; }

    /// <summary>Goes on to the request after the next.</summary>
    public void Advance()
    {
        _index++;
        if (_pattern == ArrivalPattern.Poisson)
            _sum += NextDistance();
        Next = Moment();
    }

    /// <summary>
    /// How many requests, from the next on, are due before a moment; of random distances the number that is expected, since to draw them
    /// could take longer than the measurement.
    /// </summary>
    public long CountBefore(long moment) => Math.Max((long)Math.Ceiling((moment - Next) / _ticksBetween), 0);

    // Evenly spaced moments are computed from their number, so that rounding does not add up.
    private long Moment() => _start + (long)(_pattern == ArrivalPattern.Uniform ? _offset + _index * _ticksBetween : _sum);

    private double NextDistance() => -Math.Log(1 - _random.NextDouble()) * _ticksBetween;
}
