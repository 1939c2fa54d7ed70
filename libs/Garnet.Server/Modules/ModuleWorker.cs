// What a module does outside of its commands. Any thread adds work; a thread of the pool does it, one piece after the other.
using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Modules;

/// <summary>
/// Timers, events and work that commands leave for later. Nothing is done before the server's data is loaded, nor after the module was
/// unloaded.
/// </summary>
internal sealed class ModuleWorker(ModuleEnvironment environment, LoadedModule module) : IThreadPoolWorkItem, IDisposable
{
    // What an event takes besides its key: its objects, measured.
    private const long EventBytes = 256;

    private readonly ConcurrentQueue<(Action<ServerCaller> Work, long Bytes)> _work = new();
    private readonly ConcurrentDictionary<ITimer, byte> _timers = new();
    private readonly Lock _gate = new();
    private ServerCaller? _caller;
    private volatile bool _isStopped;
    private int _count;
    private int _isRunning;
    private long _bytes;
    private long _dropped;
    private long _runningSince;
    private long _overrun; // as RunningSince, of the last piece of work that took too long; the watchdog's

    /// <summary>Pieces of work that wait.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Memory of the events that wait.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>Events that were dropped because too much work waited.</summary>
    public long Dropped => Interlocked.Read(ref _dropped);

    /// <summary>When the present piece of work began, as a Stopwatch's timestamp; 0 when none runs.</summary>
    public long RunningSince => Volatile.Read(ref _runningSince);

    /// <summary>Whether the module was unloaded, or the server stops.</summary>
    public bool IsStopped => _isStopped;

    /// <summary>Whether nothing waits or runs.</summary>
    public bool IsIdle => Count == 0 && Volatile.Read(ref _isRunning) == 0;

    private ILogger Log => module.Log;

    /// <summary>Adds work.</summary>
    public void Post(Action<ServerCaller> work) => Post(work, bytes: 0);

    /// <summary>Adds work for an event of the server.</summary>
    public void Post(ModuleServerEvent raised)
    {
        foreach (Action<ServerCaller, ModuleServerEvent> handler in module.ServerEventHandlers)
            Post(caller => handler(caller, raised));
    }

    /// <summary>Adds work for an event of a key unless too much waits already, which is counted.</summary>
    public void PostEvent(Action<ServerCaller> work, int keyBytes)
    {
        GarnetOptions options = environment.Options;
        long bytes = EventBytes + keyBytes;
        if (Count < options.ModuleMaxQueue && Bytes + bytes <= options.ModuleMaxQueueBytes)
            Post(work, bytes);
        else if (Interlocked.Increment(ref _dropped) == 1)
            Log.LogError("Module {Module}: events are dropped, as {Count} with {Bytes} bytes wait", module.Name, Count, Bytes);
    }

    /// <summary>Adds work each time a period has passed; a round is left out while the one before has not been done.</summary>
    public IDisposable StartTimer(TimeSpan due, TimeSpan period, Action<ServerCaller> work)
    {
        var timer = new WorkTimer(this, work, isOnce: period == Timeout.InfiniteTimeSpan);
        _timers.TryAdd(timer, 0);
        timer.Start(environment.Time, due, period);
        if (_isStopped)
            timer.Dispose();
        return timer;
    }

    /// <summary>Does what waits, if that is possible now. Called several times per second besides.</summary>
    public void Run()
    {
        bool isPossible = !_isStopped && Count > 0 && environment.IsServing;
        if (isPossible && Interlocked.CompareExchange(ref _isRunning, 1, 0) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Names the module in the log, once, if its present piece of work takes longer than a number of milliseconds.</summary>
    public void CheckTime(long thresholdMs)
    {
        long since = RunningSince;
        if (since == 0 || since == _overrun || Stopwatch.GetElapsedTime(since).TotalMilliseconds < thresholdMs)
            return;
        _overrun = since;
        module.CountOverrun();
        Log.LogWarning("Module {Module}: a timer or event has been running for more than {Milliseconds} ms", module.Name, thresholdMs);
    }

    /// <inheritdoc/>
    public void Execute()
    {
        while (!_isStopped && _work.TryDequeue(out (Action<ServerCaller> Work, long Bytes) next))
        {
            Interlocked.Decrement(ref _count);
            Interlocked.Add(ref _bytes, -next.Bytes);
            Execute(next.Work);
        }

        Volatile.Write(ref _isRunning, 0);
        if (_isStopped)
            Clear();
        else
            Run();
    }

    /// <summary>Ends timers and drops what waits. The present piece of work ends at its next call of a command.</summary>
    public void Stop()
    {
        lock (_gate)
            _isStopped = true;
        foreach (ITimer timer in _timers.Keys)
            timer.Dispose();
        _caller?.Stop();
        if (Interlocked.CompareExchange(ref _isRunning, 1, 0) == 0)
            Clear();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Stop();
        _caller?.Dispose();
    }

    private void Post(Action<ServerCaller> work, long bytes)
    {
        if (_isStopped)
            return;
        Interlocked.Increment(ref _count);
        Interlocked.Add(ref _bytes, bytes);
        _work.Enqueue((work, bytes));
        Run();
    }

    private void Execute(Action<ServerCaller> work)
    {
        Volatile.Write(ref _runningSince, Stopwatch.GetTimestamp());
        try
        {
            if (Caller() is { } caller)
                work(caller);
        }
        catch (OperationCanceledException) when (_isStopped)
        {
            // Unloaded meanwhile.
        }
        catch (Exception e)
        {
            module.CountException();
            Log.LogError(e, "Module {Module} failed outside of a command", module.Name);
        }

        Volatile.Write(ref _runningSince, 0);
    }

    // Not after the end, when the data may be gone.
    private ServerCaller? Caller()
    {
        lock (_gate)
            return _isStopped ? null : _caller ??= environment.NewCaller(module);
    }

    // No other thread works.
    private void Clear()
    {
        _work.Clear();
        Volatile.Write(ref _count, 0);
        Volatile.Write(ref _bytes, 0);
        _caller?.Dispose();
        _caller = null;
    }

    // A timer whose work is added once at a time.
    private sealed class WorkTimer(ModuleWorker worker, Action<ServerCaller> work, bool isOnce) : ITimer
    {
        private ITimer? _timer;
        private int _isWaiting;

        public void Start(TimeProvider time, TimeSpan due, TimeSpan period)
        {
            _timer = time.CreateTimer(static self => ((WorkTimer)self!).OnTime(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            _timer.Change(due, period);
        }

        public bool Change(TimeSpan dueTime, TimeSpan period) => _timer!.Change(dueTime, period);

        public void Dispose()
        {
            worker._timers.TryRemove(this, out _);
            _timer?.Dispose();
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }

        private void OnTime()
        {
            if (Interlocked.CompareExchange(ref _isWaiting, 1, 0) == 0)
                worker.Post(Execute);
            if (isOnce)
                Dispose();
        }

        private void Execute(ServerCaller caller)
        {
            Volatile.Write(ref _isWaiting, 0);
            work(caller);
        }
    }
}
