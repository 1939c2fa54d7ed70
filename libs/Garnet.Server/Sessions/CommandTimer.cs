// Charges time to commands with few looks at the clock. One per thread that executes commands; used by that thread alone.
using System.Diagnostics;
using Garnet.Server.Commands;
using Garnet.Server.Statistics;

namespace Garnet.Server.Sessions;

/// <summary>
/// A look at the clock costs a tenth of a GET, so commands of a pipeline share looks: the end of one command is the start of the next, and
/// a run of short commands (<see cref="Command.IsShort"/>) is measured as a whole. A run of one command is charged to it; a run of several is
/// divided among them by their calls and by what one call of each took when it was last measured alone, which one batch in many sees to. So the time
/// of all commands together is exact, and that of each as good as those samples. What is not known is which call of a run was slow; so runs are used
/// only while nothing is: with a slow log that takes anything under a millisecond, and for a while after a run that was slower than the slow log's
/// limit, every call is measured by itself. A command that comes alone always is. In the histogram of a command's latencies its calls of a run stand
/// with their mean.
/// </summary>
internal sealed class CommandTimer(long[] ticksPerCommand, LatencyHistogram?[] histograms)
{
    private const int MostKinds = 16;
    private const int BatchesPerSample = 64;
    private const int WeightBits = 8;
    private static readonly long LongRunTicks = Stopwatch.Frequency / 1000;
    private static readonly long AlertTicks = Stopwatch.Frequency * 10;

    private long slowTicks;
    private long last;
    private long alertUntil;
    private bool everyCall;
    private bool isCounting;
    private bool mayShare;
    private int batches;
    private Command? running;

    // The run under way: its calls by command, and which commands those are. Weights: ticks of one call, times 2^WeightBits; 0 when never measured.
    private readonly int[] calls = new int[ticksPerCommand.Length];
    private readonly int[] kinds = new int[MostKinds];
    private readonly long[] weights = new long[ticksPerCommand.Length];
    private int kindCount;

    /// <summary>Starts the clock for a batch of commands.</summary>
    /// <param name="commands">How many there are.</param>
    /// <param name="noteworthyTicks">From how many ticks on a command counts as slow.</param>
    /// <param name="fillsHistograms">Whether latencies are counted.</param>
    public void Begin(int commands, long noteworthyTicks, bool fillsHistograms) => Begin(commands, noteworthyTicks, fillsHistograms, Stopwatch.GetTimestamp());

    /// <summary>As <see cref="Begin(int, long, bool)"/>, by whoever has just looked at Stopwatch.</summary>
    public void Begin(int commands, long noteworthyTicks, bool fillsHistograms, long now)
    {
        slowTicks = noteworthyTicks;
        isCounting = fillsHistograms;
        last = now;
        everyCall = commands == 1 || slowTicks < LongRunTicks || last < alertUntil;
        mayShare = ++batches % BatchesPerSample != 0;
        running = null;
    }

    /// <summary>Changes, within a batch, from how many ticks on a command counts as slow.</summary>
    public void TakeLimit(long noteworthyTicks)
    {
        slowTicks = noteworthyTicks;
        everyCall |= slowTicks < LongRunTicks;
    }

    /// <summary>Called before a command executes; gives what <see cref="After"/> wants back.</summary>
    public long Before(Command command)
    {
        if (running is not null && running != command && !CanShare(command))
            EndRun();
        return last;
    }

    /// <summary>Called when a command has executed, commands it called in turn included. Gives its time when it was slow, else 0.</summary>
    public long After(Command command, long start)
    {
        if (command.IsShort && !everyCall)
        {
            running = command;
            if (calls[command.Id]++ == 0)
                kinds[kindCount++] = command.Id;
            return 0;
        }

        if (running is not null)
            EndRun();
        last = Stopwatch.GetTimestamp();
        long ticks = last - start;
        Add(command.Id, ticks, 1);
        return ticks >= slowTicks ? Math.Max(ticks, 1) : 0;
    }

    /// <summary>Charges the time since the last look to the run that is going on, if any. Called at the end of a batch, too.</summary>
    public void EndRun()
    {
        if (running is null)
            return;
        long now = Stopwatch.GetTimestamp();
        long ticks = now - last;
        if (kindCount == 1)
            Charge(kinds[0], ticks);
        else
            Divide(ticks);
        foreach (int kind in kinds.AsSpan(0, kindCount))
            calls[kind] = 0;
        kindCount = 0;
        if (ticks >= slowTicks)
            alertUntil = now + AlertTicks;
        last = now;
        running = null;
    }

    private bool CanShare(Command command) =>
        mayShare && command.IsShort && weights[command.Id] != 0 && weights[running!.Id] != 0 && kindCount < MostKinds;

    private void Charge(int command, long ticks)
    {
        Add(command, ticks, calls[command]);
        weights[command] = Math.Max(1, (ticks << WeightBits) / calls[command]);
    }

    private void Divide(long ticks)
    {
        long sum = 0;
        foreach (int kind in kinds.AsSpan(0, kindCount))
            sum += calls[kind] * weights[kind];
        long left = ticks;
        foreach (int kind in kinds.AsSpan(0, kindCount - 1))
        {
            long share = (long)((Int128)ticks * calls[kind] * weights[kind] / sum);
            Add(kind, share, calls[kind]);
            left -= share;
        }

        int lastKind = kinds[kindCount - 1];
        Add(lastKind, left, calls[lastKind]);
    }

    private void Add(int command, long ticks, int count)
    {
        ticksPerCommand[command] += ticks;
        if (isCounting)
            (histograms[command] ??= new LatencyHistogram()).Add((count == 1 ? ticks : ticks / count) * 1_000_000_000 / Stopwatch.Frequency, count);
    }
}
