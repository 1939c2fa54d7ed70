// The timer of commands: runs are charged to their command, and a slow run makes it look at every call. Sleeps only give lower bounds.
using System.Diagnostics;
using Garnet.Server.Commands;
using Garnet.Server.Sessions;
using Garnet.Server.Statistics;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class CommandTimerTests
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);
    private static readonly long LeastTicks = Stopwatch.Frequency / 1000 * 15;

    private const long Never = long.MaxValue;
    private static readonly long FiveMilliseconds = Stopwatch.Frequency / 200;

    private readonly CommandTable commands = new(CommandFamilies.All);
    private readonly long[] ticks;
    private readonly LatencyHistogram?[] histograms;
    private readonly CommandTimer timer;

    public CommandTimerTests()
    {
        ticks = new long[commands.IdCount];
        histograms = new LatencyHistogram?[commands.IdCount];
        timer = new CommandTimer(ticks, histograms);
    }

    [Fact]
    public void A_run_is_charged_as_a_whole_and_to_nobody_else()
    {
        Command get = commands.Find("GET"u8)!, set = commands.Find("SET"u8)!;
        timer.Begin(3, Never, fillsHistograms: true);
        Assert.Equal(0, Call(get));
        Assert.Equal(0, Call(get));
        timer.Before(set);
        Assert.True(ticks[get.Id] >= 2 * LeastTicks);
        long before = ticks[get.Id];
        Thread.Sleep(Pause);
        timer.After(set, 0);
        timer.EndRun();
        Assert.Equal(before, ticks[get.Id]);
        Assert.True(ticks[set.Id] >= LeastTicks);
    }

    [Fact]
    public void Commands_that_are_not_short_and_those_that_come_alone_are_measured_by_themselves()
    {
        Command get = commands.Find("GET"u8)!, keys = commands.Find("KEYS"u8)!;
        Assert.True(get.IsShort);
        Assert.False(keys.IsShort);
        timer.Begin(2, FiveMilliseconds, fillsHistograms: true);
        Assert.True(Call(keys) >= LeastTicks);
        timer.Begin(1, FiveMilliseconds, fillsHistograms: true);
        Assert.True(Call(get) >= LeastTicks);
    }

    [Fact]
    public void After_a_slow_run_every_call_is_measured()
    {
        Command get = commands.Find("GET"u8)!;
        timer.Begin(2, FiveMilliseconds, fillsHistograms: true);
        Assert.Equal(0, Call(get));
        timer.EndRun();
        timer.Begin(2, FiveMilliseconds, fillsHistograms: true);
        Assert.True(Call(get) >= LeastTicks);
        Assert.True(ticks[get.Id] >= 2 * LeastTicks);
    }

    [Fact]
    public void A_command_that_calls_others_is_charged_with_their_time_and_they_with_their_own()
    {
        Command exec = commands.Find("EXEC"u8)!, get = commands.Find("GET"u8)!;
        timer.Begin(2, Never, fillsHistograms: true);
        long start = timer.Before(exec);
        Call(get);
        Thread.Sleep(Pause);
        timer.After(exec, start);
        Assert.True(ticks[get.Id] >= LeastTicks);
        Assert.True(ticks[exec.Id] >= 2 * LeastTicks);
    }

    [Fact]
    public void A_run_of_several_commands_is_divided_by_what_each_took_alone_and_nothing_is_lost()
    {
        Command get = commands.Find("GET"u8)!, set = commands.Find("SET"u8)!;
        foreach (Command alone in new[] { get, get, get, set })
        {
            timer.Begin(2, Never, fillsHistograms: true);
            Call(alone);
            timer.EndRun();
        }

        long gets = ticks[get.Id], sets = ticks[set.Id];
        long start = Stopwatch.GetTimestamp();
        timer.Begin(3, Never, fillsHistograms: true);
        Call(get);
        Call(set);
        Call(get);
        Assert.Equal((gets, sets), (ticks[get.Id], ticks[set.Id]));
        timer.EndRun();
        long most = Stopwatch.GetTimestamp() - start;
        long taken = ticks[get.Id] - gets + ticks[set.Id] - sets;
        Assert.InRange(taken, 3 * LeastTicks, most);
        Assert.True(ticks[get.Id] > gets && ticks[set.Id] > sets);
        Assert.Equal((5, 2), (histograms[get.Id]!.Calls, histograms[set.Id]!.Calls));
    }

    private long Call(Command command)
    {
        long start = timer.Before(command);
        Thread.Sleep(Pause);
        return timer.After(command, start);
    }
}
