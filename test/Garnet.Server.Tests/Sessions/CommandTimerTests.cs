// The timer of commands: a run's time is attributed to its command, and after a slow run every call is timed. Sleeps are only lower bounds.
using System.Diagnostics;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Server.Composition;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class CommandTimerTests
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);
    private static readonly long MinTicks = Stopwatch.Frequency / 1000 * 15;

    private const long Never = long.MaxValue;
    private static readonly long FiveMilliseconds = Stopwatch.Frequency / 200;

    private readonly CommandTable _commands = new(CommandFamilies.All);
    private readonly long[] _ticks;
    private readonly LatencyHistogram?[] _histograms;
    private readonly CommandTimer _timer;

    public CommandTimerTests()
    {
        _ticks = new long[_commands.IdLimit];
        _histograms = new LatencyHistogram?[_commands.IdLimit];
        _timer = new CommandTimer(_ticks, _histograms);
    }

    [Fact]
    public void A_run_is_charged_only_to_its_command()
    {
        Command get = _commands.Find("GET"u8)!,
            set = _commands.Find("SET"u8)!;
        _timer.Begin(3, Never, fillsHistograms: true);
        Assert.Equal(0, Call(get));
        Assert.Equal(0, Call(get));
        _timer.Before(set);
        Assert.True(_ticks[get.Id] >= 2 * MinTicks);
        long before = _ticks[get.Id];
        Thread.Sleep(Pause);
        _timer.After(set, 0);
        _timer.EndRun();
        Assert.Equal(before, _ticks[get.Id]);
        Assert.True(_ticks[set.Id] >= MinTicks);
    }

    [Fact]
    public void Long_commands_and_single_ones_are_measured_individually()
    {
        Command get = _commands.Find("GET"u8)!,
            keys = _commands.Find("KEYS"u8)!;
        Assert.True(get.IsShort);
        Assert.False(keys.IsShort);
        _timer.Begin(2, FiveMilliseconds, fillsHistograms: true);
        Assert.True(Call(keys) >= MinTicks);
        _timer.Begin(1, FiveMilliseconds, fillsHistograms: true);
        Assert.True(Call(get) >= MinTicks);
    }

    [Fact]
    public void After_a_slow_run_every_call_is_measured()
    {
        Command get = _commands.Find("GET"u8)!;
        _timer.Begin(2, FiveMilliseconds, fillsHistograms: true);
        Assert.Equal(0, Call(get));
        _timer.EndRun();
        _timer.Begin(2, FiveMilliseconds, fillsHistograms: true);
        Assert.True(Call(get) >= MinTicks);
        Assert.True(_ticks[get.Id] >= 2 * MinTicks);
    }

    [Fact]
    public void A_command_that_calls_others_includes_their_time()
    {
        Command exec = _commands.Find("EXEC"u8)!,
            get = _commands.Find("GET"u8)!;
        _timer.Begin(2, Never, fillsHistograms: true);
        long start = _timer.Before(exec);
        Call(get);
        Thread.Sleep(Pause);
        _timer.After(exec, start);
        Assert.True(_ticks[get.Id] >= MinTicks);
        Assert.True(_ticks[exec.Id] >= 2 * MinTicks);
    }

    [Fact]
    public void A_mixed_run_is_divided_in_proportion_to_single_measurements()
    {
        Command get = _commands.Find("GET"u8)!,
            set = _commands.Find("SET"u8)!;
        foreach (Command alone in new[] { get, get, get, set })
        {
            _timer.Begin(2, Never, fillsHistograms: true);
            Call(alone);
            _timer.EndRun();
        }

        long gets = _ticks[get.Id],
            sets = _ticks[set.Id];
        long start = Stopwatch.GetTimestamp();
        _timer.Begin(3, Never, fillsHistograms: true);
        Call(get);
        Call(set);
        Call(get);
        Assert.Equal((gets, sets), (_ticks[get.Id], _ticks[set.Id]));
        _timer.EndRun();
        long most = Stopwatch.GetTimestamp() - start;
        long taken = _ticks[get.Id] - gets + _ticks[set.Id] - sets;
        Assert.InRange(taken, 3 * MinTicks, most);
        Assert.True(_ticks[get.Id] > gets && _ticks[set.Id] > sets);
        Assert.Equal((5, 2), (_histograms[get.Id]!.Calls, _histograms[set.Id]!.Calls));
    }

    private long Call(Command command)
    {
        long start = _timer.Before(command);
        Thread.Sleep(Pause);
        return _timer.After(command, start);
    }
}
