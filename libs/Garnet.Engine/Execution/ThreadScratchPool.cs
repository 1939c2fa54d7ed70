// The scratch memory of a server's threads. Thread-safe.
using System.Collections.Concurrent;

namespace Garnet.Engine.Execution;

/// <summary>
/// Gives each thread that executes commands its own scratch memory. When a thread has ended, this is reused for the next new thread,
/// including its counters: pool threads come and go, and their counts must not be lost, nor contexts accumulate.
/// </summary>
internal sealed class ThreadScratchPool : IDisposable
{
    private readonly ThreadLocal<Lease> _current;
    private readonly CommandTable _commands;
    private readonly CommandRecorder _recorder;

    // Not a ConcurrentBag: finalisation order is undefined, so it might be finalised before the leases that push to it.
    private readonly ConcurrentStack<ThreadScratch> _idle = [];
    private readonly ConcurrentQueue<ThreadScratch> _all = [];

    /// <summary>The contexts of a server.</summary>
    /// <param name="commands">The commands, complete before the first context is taken.</param>
    /// <param name="recorder">The logs of slow and large commands.</param>
    public ThreadScratchPool(CommandTable commands, CommandRecorder recorder)
    {
        _commands = commands;
        _recorder = recorder;
        _current = new ThreadLocal<Lease>(() => new Lease(this, Take()));
    }

    /// <summary>The calling thread's scratch memory.</summary>
    public ThreadScratch Current => _current.Value!.Scratch;

    /// <summary>
    /// Runs an action with other scratch memory in place of the calling thread's, whose batch goes on afterwards. Not within such an
    /// action.
    /// </summary>
    public void RunWithin<TState>(Action<TState> action, TState state)
    {
        Lease lease = _current.Value!;
        lease.BeginWithin();
        try
        {
            action(state);
        }
        finally
        {
            lease.EndWithin();
        }
    }

    /// <summary>That of all threads, including ended ones.</summary>
    public IEnumerable<ThreadScratch> All => _all;

    /// <summary>Commands executed since the statistics were reset.</summary>
    public long CommandsProcessed => _all.Sum(static thread => thread.Counters.CommandsProcessed);

    /// <summary>Resets the counters of all contexts (CONFIG RESETSTAT).</summary>
    public void ResetStatistics()
    {
        foreach (ThreadScratch thread in _all)
        {
            thread.Counters.Reset();
            thread.Timer.ForgetLongest();
        }
    }

    /// <summary>Commands that were looked up ahead are looked up again. Under the barrier.</summary>
    public void ForgetPrepared()
    {
        foreach (ThreadScratch thread in _all)
        {
            foreach (ref PreparedCommand prepared in thread.Prepared.AsSpan())
                prepared.Command = null;
        }
    }

    /// <summary>Resets the counters of one command, whose ID another one had.</summary>
    public void ResetStatistics(int command)
    {
        foreach (ThreadScratch thread in _all)
            thread.Counters.Reset(command);
    }

    public void Dispose() => _current.Dispose();

    private ThreadScratch Take()
    {
        if (_idle.TryPop(out ThreadScratch? thread))
            return thread;
        thread = new ThreadScratch(_commands.IdLimit, _recorder);
        _all.Enqueue(thread);
        return thread;
    }

    // Lives as long as its thread. The only notification of a thread's end in .NET is the collection of objects that belonged to it.
    private sealed class Lease(ThreadScratchPool pool, ThreadScratch own)
    {
        // Kept for the next time, as replies that wait for the log may belong to it.
        private ThreadScratch? _within;
        private bool _isWithin;

        ~Lease()
        {
            pool._idle.Push(own);
            if (_within is not null)
                pool._idle.Push(_within);
        }

        public ThreadScratch Scratch => _isWithin ? _within! : own;

        public void BeginWithin()
        {
            _within ??= pool.Take();
            _isWithin = true;
        }

        public void EndWithin() => _isWithin = false;
    }
}
