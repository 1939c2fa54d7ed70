// Runs one measurement: starts its threads, watches them, collects what they found. One caller.
using System.Diagnostics;
using Garnet.Bench.Results;
using Garnet.Bench.Servers;

namespace Garnet.Bench.Load;

/// <summary>The threads connect, begin at the same moment, and end by themselves; the first failure ends all.</summary>
internal sealed class LoadRun : IDisposable
{
    private static readonly TimeSpan WatchInterval = TimeSpan.FromMilliseconds(250);

    private readonly LoadPlan _plan;
    private readonly ControlConnection _control;
    private readonly LiveLine? _live;
    private readonly LoadThread[] _threads;
    private readonly TaskCompletionSource<long> _start = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Prepares a measurement.</summary>
    /// <param name="plan">What to do.</param>
    /// <param name="control">A connection that asks for the server's processor time.</param>
    /// <param name="live">Shows the progress, or null.</param>
    public LoadRun(LoadPlan plan, ControlConnection control, LiveLine? live)
    {
        _plan = plan;
        _control = control;
        _live = live;
        _threads =
        [
            .. Enumerable
                .Range(0, plan.Threads)
                .Select(index => new LoadThread(plan, index, new SocketChannels(plan.Server, plan.KeepsAlive), TimeProvider.System)),
        ];
    }

    /// <summary>Replies so far.</summary>
    private long Completed => _threads.Sum(static thread => thread.Completed);

    /// <summary>Generates the load.</summary>
    /// <exception cref="BenchException">It cannot begin, or not go on.</exception>
    public async Task<LoadResult> RunAsync()
    {
        TaskCompletionSource[] connected = [.. _threads.Select(static _ => NewSource())];
        TaskCompletionSource[] ended = [.. _threads.Select(static _ => NewSource())];
        for (int i = 0; i < _threads.Length; i++)
            StartThread(i, connected[i], ended[i]);
        var allEnded = Task.WhenAll(ended.Select(static source => source.Task));
        try
        {
            await Task.WhenAll(connected.Select(static source => source.Task)).ConfigureAwait(false);
            return await MeasureAsync(allEnded).ConfigureAwait(false);
        }
        finally
        {
            // Whatever failed, no thread uses a connection after it has been closed.
            _plan.Abandon();
            _start.TrySetResult(0);
            await Task.WhenAny(allEnded).ConfigureAwait(false);
        }
    }

    /// <summary>Closes all connections; the threads have ended.</summary>
    public void Dispose()
    {
        foreach (LoadThread thread in _threads)
            thread.Dispose();
    }

    private async Task<LoadResult> MeasureAsync(Task allEnded)
    {
        Usage before = _plan.WarmUp > TimeSpan.Zero ? default : await ReadUsageAsync().ConfigureAwait(false);
        long start = Stopwatch.GetTimestamp();
        long measureFrom = start + ToTimestamps(_plan.WarmUp);
        _start.SetResult(start);
        if (_plan.WarmUp > TimeSpan.Zero)
        {
            await WatchAsync(allEnded, start, _plan.WarmUp, isWarmUp: true).ConfigureAwait(false);
            before = await ReadUsageAsync().ConfigureAwait(false);
        }

        await WatchAsync(allEnded, measureFrom, limit: null, isWarmUp: false).ConfigureAwait(false);
        return Collect(measureFrom, before, await ReadUsageAsync().ConfigureAwait(false));
    }

    private static TaskCompletionSource NewSource() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static long ToTimestamps(TimeSpan time) => (long)(time.TotalSeconds * Stopwatch.Frequency);

    private void StartThread(int index, TaskCompletionSource connected, TaskCompletionSource ended) =>
        new Thread(() => Run(_threads[index], connected, ended)) { IsBackground = true, Name = $"garnet-bench-{index}" }.Start();

    // The failure of a thread is passed on whole: the task's owner decides what it means.
    private void Run(LoadThread thread, TaskCompletionSource connected, TaskCompletionSource ended)
    {
        try
        {
            thread.Connect();
            connected.SetResult();
            thread.Run(_start.Task.GetAwaiter().GetResult());
            ended.SetResult();
        }
        catch (Exception e)
        {
            _plan.Abandon();
            ended.SetException(e);
            connected.TrySetResult();
        }
    }

    private async Task WatchAsync(Task allEnded, long from, TimeSpan? limit, bool isWarmUp)
    {
        while (!allEnded.IsCompleted)
        {
            TimeSpan elapsed = Stopwatch.GetElapsedTime(from);
            TimeSpan wait = limit is { } most && most - elapsed < WatchInterval ? most - elapsed : WatchInterval;
            if (wait <= TimeSpan.Zero)
                return;
            await Task.WhenAny(allEnded, Task.Delay(wait)).ConfigureAwait(false);
            _live?.Show(_plan, isWarmUp, Stopwatch.GetElapsedTime(from), Completed);
        }

        await allEnded.ConfigureAwait(false);
    }

    private async Task<Usage> ReadUsageAsync() =>
        new(await ReadServerTimeAsync().ConfigureAwait(false), Environment.CpuUsage.TotalTime, Completed, Stopwatch.GetTimestamp());

    // A server that has stopped answering cannot be asked; after Ctrl+C what was measured counts all the same.
    private async Task<TimeSpan?> ReadServerTimeAsync()
    {
        try
        {
            return await ServerProcessorTime.ReadAsync(_control).ConfigureAwait(false);
        }
        catch (BenchException) when (_plan.MustStop)
        {
            return null;
        }
    }

    private LoadResult Collect(long measureFrom, Usage before, Usage after)
    {
        List<CommandResult> commands = [.. _plan.Workload.Commands.Select(static command => new CommandResult(command.Template.Name))];
        foreach (LoadThread thread in _threads)
        {
            for (int i = 0; i < commands.Count; i++)
                commands[i].Add(thread.Results[i]);
        }

        long lastReply = _threads.Max(static thread => thread.LastReply);
        long requests = Math.Max(after.Completed - before.Completed, 1);
        TimeSpan own = after.Own - before.Own;
        return new LoadResult
        {
            Commands = Merged(commands),
            Elapsed = lastReply > measureFrom ? Stopwatch.GetElapsedTime(measureFrom, lastReply) : TimeSpan.Zero,
            BytesIn = _threads.Sum(static thread => thread.BytesIn),
            BytesOut = _threads.Sum(static thread => thread.BytesOut),
            Unsent = _threads.Sum(static thread => thread.Unsent),
            ServerUsPerRequest = (after.Server - before.Server)?.TotalMicroseconds / requests,
            OwnUsPerRequest = own.TotalMicroseconds / requests,
            OwnLoad = own / Stopwatch.GetElapsedTime(before.Timestamp, after.Timestamp) / _threads.Length,
        };
    }

    // Commands of the same name are one line of the result.
    private static List<CommandResult> Merged(List<CommandResult> commands)
    {
        var merged = new List<CommandResult>();
        foreach (CommandResult command in commands)
        {
            if (merged.Find(other => other.Name == command.Name) is { } same)
                same.Add(command);
            else
                merged.Add(command);
        }

        return merged;
    }

    private readonly record struct Usage(TimeSpan? Server, TimeSpan Own, long Completed, long Timestamp);
}
