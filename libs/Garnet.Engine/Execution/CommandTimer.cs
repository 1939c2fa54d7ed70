// Attributes time to commands with few clock reads. One per thread that executes commands; used by that thread alone.
using System.Diagnostics;
using Garnet.Engine.Counters;

namespace Garnet.Engine.Execution;

/// <summary>
/// A clock read costs a tenth of a GET, so commands of a pipeline share reads: the end of one command is the start of the next, and a run
/// of short commands (<see cref="Command.IsShort"/>) is measured as a whole. A run of one command is charged to it; a run of several is
/// divided among them by their calls and by the time of one call of each when it was last measured alone, which happens in one of many
/// batches. So the total time of all commands is exact, and that of each is as accurate as those samples. What remains unknown is which
/// call of a run was slow; so runs are used only while no call is: with a slow log threshold below a millisecond, and for a while after a
/// run that was slower than the threshold, every call is measured separately. A command that arrives alone always is. In a command's
/// latency histogram the calls of a run are entered with their mean.
/// </summary>
internal sealed class CommandTimer(long[] ticksPerCommand, LatencyHistogram?[] histograms)
{
    private const int MaxKinds = 16;
    private const int BatchesPerSample = 64;
    private const int WeightBits = 8;
    private static readonly long LongRunTicks = Stopwatch.Frequency / 1000;
    private static readonly long AlertTicks = Stopwatch.Frequency * 10;

    private long _slowTicks;
    private long _last;
    private long _began;
    private long _alertUntil;
    private bool _everyCall;
    private bool _isCounting;
    private bool _mayShare;
    private int _batches;
    private Command? _running;

    // The current run: its calls by command, and which commands those are. Weights: ticks of one call, times 2^WeightBits; 0 when never
    // measured.
    private readonly int[] _calls = new int[ticksPerCommand.Length];
    private readonly int[] _kinds = new int[MaxKinds];
    private readonly long[] _weights = new long[ticksPerCommand.Length];
    private int _kindCount;

    /// <summary>Ticks of the longest batch, but for the present one.</summary>
    public long LongestTicks { get; private set; }

    /// <summary>The longest batch is forgotten.</summary>
    public void ForgetLongest()
    {
        LongestTicks = 0;
        _began = _last;
    }

    /// <summary>Starts the clock for a batch of commands.</summary>
    /// <param name="commands">How many there are.</param>
    /// <param name="noteworthyTicks">Ticks from which a command counts as slow.</param>
    /// <param name="fillsHistograms">Whether latencies are recorded.</param>
    public void Begin(int commands, long noteworthyTicks, bool fillsHistograms) =>
        Begin(commands, noteworthyTicks, fillsHistograms, Stopwatch.GetTimestamp());

    /// <summary>As <see cref="Begin(int, long, bool)"/>, for callers that have just read the Stopwatch.</summary>
    public void Begin(int commands, long noteworthyTicks, bool fillsHistograms, long now)
    {
        _slowTicks = noteworthyTicks;
        _isCounting = fillsHistograms;
        // The batch before this one ended with the last clock read.
        LongestTicks = Math.Max(LongestTicks, _last - _began);
        _last = _began = now;
        _everyCall = commands == 1 || _slowTicks < LongRunTicks || _last < _alertUntil;
        _mayShare = ++_batches % BatchesPerSample != 0;
        _running = null;
    }

    /// <summary>Changes, within a batch and between runs, what <see cref="Begin(int, long, bool)"/> was given.</summary>
    /// <param name="noteworthyTicks">Ticks from which a command counts as slow.</param>
    /// <param name="fillsHistograms">Whether latencies are recorded.</param>
    public void TakeLimits(long noteworthyTicks, bool fillsHistograms)
    {
        _slowTicks = noteworthyTicks;
        _isCounting = fillsHistograms;
        _everyCall |= _slowTicks < LongRunTicks;
    }

    /// <summary>Called before a command executes; returns the value to pass to <see cref="After"/>.</summary>
    public long Before(Command command)
    {
        if (_running is not null && _running != command && !CanShare(command))
            EndRun();
        return _last;
    }

    /// <summary>
    /// Called after a command has executed, including commands that it called. Returns its time when it was slow, else 0.
    /// </summary>
    public long After(Command command, long start)
    {
        if (command.IsShort && !_everyCall)
        {
            _running = command;
            if (_calls[command.Id]++ == 0)
                _kinds[_kindCount++] = command.Id;
            return 0;
        }

        if (_running is not null)
            EndRun();
        _last = Stopwatch.GetTimestamp();
        long ticks = _last - start;
        Add(command.Id, ticks, 1);
        return ticks >= _slowTicks ? Math.Max(ticks, 1) : 0;
    }

    /// <summary>
    /// Like <see cref="After"/>, for a command that continues later. It still is one call, which <see cref="AddCall"/> counts. Returns its
    /// time so far, whether slow or not.
    /// </summary>
    public long AfterPiece(Command command, long start)
    {
        if (_running is not null)
            EndRun();
        _last = Stopwatch.GetTimestamp();
        AddTime(command, _last - start);
        return _last - start;
    }

    /// <summary>
    /// Like <see cref="After"/>, for a blocked command, whose attempts together are one call: called after each of them. Returns the time of
    /// all of them.
    /// </summary>
    public long AfterAttempt(Command command, long start, long earlierTicks, bool isLast)
    {
        long ticks = earlierTicks + AfterPiece(command, start);
        if (isLast)
            AddCall(command, ticks, _isCounting);
        return ticks;
    }

    /// <summary>Whether a command that took this time is slow.</summary>
    public bool IsSlow(long ticks) => ticks >= _slowTicks;

    /// <summary>Charges a command with the time of a piece.</summary>
    public void AddTime(Command command, long ticks) => ticksPerCommand[command.Id] += ticks;

    /// <summary>Counts a call whose time is charged already among the latencies.</summary>
    public void AddCall(Command command, long ticks, bool fillsHistograms)
    {
        if (fillsHistograms)
            Count(command.Id, ticks, 1);
    }

    /// <summary>Charges the time since the last clock read to the current run, if any. Also called at the end of a batch.</summary>
    public void EndRun()
    {
        if (_running is null)
            return;
        long now = Stopwatch.GetTimestamp();
        long ticks = now - _last;
        if (_kindCount == 1)
            Charge(_kinds[0], ticks);
        else
            Divide(ticks);
        foreach (int kind in _kinds.AsSpan(0, _kindCount))
            _calls[kind] = 0;
        _kindCount = 0;
        if (ticks >= _slowTicks)
            _alertUntil = now + AlertTicks;
        _last = now;
        _running = null;
    }

    private bool CanShare(Command command) =>
        _mayShare && command.IsShort && _weights[command.Id] != 0 && _weights[_running!.Id] != 0 && _kindCount < MaxKinds;

    private void Charge(int command, long ticks)
    {
        Add(command, ticks, _calls[command]);
        _weights[command] = Math.Max(1, (ticks << WeightBits) / _calls[command]);
    }

    private void Divide(long ticks)
    {
        long sum = 0;
        foreach (int kind in _kinds.AsSpan(0, _kindCount))
            sum += _calls[kind] * _weights[kind];
        long left = ticks;
        foreach (int kind in _kinds.AsSpan(0, _kindCount - 1))
        {
            long share = (long)((Int128)ticks * _calls[kind] * _weights[kind] / sum);
            Add(kind, share, _calls[kind]);
            left -= share;
        }

        int lastKind = _kinds[_kindCount - 1];
        Add(lastKind, left, _calls[lastKind]);
    }

    private void Add(int command, long ticks, int count)
    {
        ticksPerCommand[command] += ticks;
        if (_isCounting)
            Count(command, ticks, count);
    }

    private void Count(int command, long ticks, int count) =>
        (histograms[command] ??= new LatencyHistogram()).Add(
            (count == 1 ? ticks : ticks / count) * 1_000_000_000 / Stopwatch.Frequency,
            count
        );
}
