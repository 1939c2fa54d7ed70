// Charges time to commands with few looks at the clock. One per thread that executes commands; used by that thread alone.
using System.Diagnostics;
using Garnet.Server.Commands;
using Garnet.Server.Statistics;

namespace Garnet.Server.Sessions;

/// <summary>
/// A look at the clock costs a tenth of a GET, so commands of a pipeline share looks: the end of one command is the start of the next, and
/// a run of calls of one short command (<see cref="Command.IsShort"/>) is measured as a whole. The sums per command are exact. What is not known is
/// which call of a run was slow; so runs are used only while nothing is: with a slow log that takes anything under a millisecond, and for a while
/// after a run that was slower than the slow log's limit, every call is measured by itself. A command that comes alone always is.
/// </summary>
internal sealed class CommandTimer(long[] ticksPerCommand)
{
    private static readonly long LongRunTicks = Stopwatch.Frequency / 1000;
    private static readonly long AlertTicks = Stopwatch.Frequency * 10;

    private long slowTicks;
    private long last;
    private long alertUntil;
    private bool everyCall;
    private Command? running;

    /// <summary>Starts the clock for a batch of commands.</summary>
    public void Begin(int commands, SlowLog slowLog)
    {
        slowTicks = slowLog.ThresholdTicks;
        last = Stopwatch.GetTimestamp();
        everyCall = commands == 1 || slowTicks < LongRunTicks || last < alertUntil;
        running = null;
    }

    /// <summary>Called before a command executes; gives what <see cref="After"/> wants back.</summary>
    public long Before(Command command)
    {
        if (running is not null && running != command)
            EndRun();
        return last;
    }

    /// <summary>Called when a command has executed, commands it called in turn included. Gives its time when it was slow, else 0.</summary>
    public long After(Command command, long start)
    {
        if (command.IsShort && !everyCall)
        {
            running = command;
            return 0;
        }

        if (running is not null)
            EndRun();
        last = Stopwatch.GetTimestamp();
        long ticks = last - start;
        ticksPerCommand[command.Id] += ticks;
        return ticks >= slowTicks ? Math.Max(ticks, 1) : 0;
    }

    /// <summary>Charges the time since the last look to the run that is going on, if any. Called at the end of a batch, too.</summary>
    public void EndRun()
    {
        if (running is null)
            return;
        long now = Stopwatch.GetTimestamp();
        long ticks = now - last;
        ticksPerCommand[running.Id] += ticks;
        if (ticks >= slowTicks)
            alertUntil = now + AlertTicks;
        last = now;
        running = null;
    }
}
