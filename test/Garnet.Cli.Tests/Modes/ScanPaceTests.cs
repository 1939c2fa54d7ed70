// When the modes that measure all keys pause, and for how long. Virtual time.
using Garnet.Cli.Modes;
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests.Modes;

public sealed class ScanPaceTests
{
    private readonly ManualTimeProvider _clock = new();
    private readonly List<double> _pauses = [];
    private readonly ScanPace _pace;

    public ScanPaceTests() =>
        _pace = new ScanPace(
            _clock,
            time =>
            {
                _pauses.Add(time.TotalMilliseconds);
                _clock.Advance(time);
            }
        );

    [Fact]
    public void Work_is_a_fifth_of_the_time()
    {
        Work(0.5);
        Work(3);
        Assert.Equal([2, 12], _pauses);
    }

    [Fact]
    public void Short_work_is_added_up_to_a_pause_that_a_timer_can_measure()
    {
        for (int i = 0; i < 4; i++)
            Work(0.1);
        Assert.Equal([1.2], _pauses);
    }

    [Fact]
    public void A_server_that_was_stopped_is_waited_for_no_longer_than_a_tenth_of_a_second() => Assert.Equal([100], After(5000));

    [Fact]
    public void The_time_of_a_network_is_not_the_servers()
    {
        // Eleven milliseconds on the way each time; the server works one in the second.
        Exchange(11);
        Assert.Empty(_pauses);
        Exchange(12);
        Assert.Equal([4], _pauses);
        Exchange(11);
        Assert.Equal([4], _pauses);
    }

    [Fact]
    public void Round_trips_without_a_network_count_as_work()
    {
        Exchange(0.15);
        Exchange(0.15);
        Assert.Equal([1.2], _pauses);
    }

    [Fact]
    public void A_pause_of_others_is_no_work()
    {
        _clock.Advance(TimeSpan.FromMilliseconds(100));
        _pace.Begin();
        _pace.PauseIfDue();
        Assert.Empty(_pauses);
    }

    private List<double> After(double milliseconds)
    {
        Work(milliseconds);
        return _pauses;
    }

    private void Work(double milliseconds)
    {
        _clock.Advance(TimeSpan.FromMilliseconds(milliseconds));
        _pace.PauseIfDue();
    }

    private void Exchange(double milliseconds)
    {
        long sent = _clock.GetTimestamp();
        _clock.Advance(TimeSpan.FromMilliseconds(milliseconds));
        _pace.CountRoundTrip(sent);
        _pace.PauseIfDue();
    }
}
