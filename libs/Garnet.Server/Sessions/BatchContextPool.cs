// The batch contexts of a server's threads. Thread-safe.
using System.Collections.Concurrent;

namespace Garnet.Server.Sessions;

/// <summary>
/// Gives each thread that executes commands its own batch context. When a thread has ended, its context is reused for the next new thread,
/// including its counters: pool threads come and go, and their counts must not be lost, nor contexts accumulate.
/// </summary>
internal sealed class BatchContextPool : IDisposable
{
    private readonly ThreadLocal<Lease> _current;

    // Not a ConcurrentBag: finalisation order is undefined, so it might be finalised before the leases that push to it.
    private readonly ConcurrentStack<BatchContext> _idle = [];
    private readonly ConcurrentQueue<BatchContext> _all = [];

    public BatchContextPool(int commandIds) => _current = new ThreadLocal<Lease>(() => new Lease(this, Take(commandIds)));

    /// <summary>The calling thread's batch context.</summary>
    public BatchContext Current => _current.Value!.Batch;

    /// <summary>All batch contexts, including those of ended threads.</summary>
    public IEnumerable<BatchContext> All => _all;

    /// <summary>Commands executed since the statistics were reset.</summary>
    public long CommandsProcessed => _all.Sum(static batch => batch.Counters.CommandsProcessed);

    /// <summary>Resets the counters of all contexts (CONFIG RESETSTAT).</summary>
    public void ResetStatistics()
    {
        foreach (BatchContext batch in _all)
            batch.Counters.Reset();
    }

    public void Dispose() => _current.Dispose();

    private BatchContext Take(int commandIds)
    {
        if (_idle.TryPop(out BatchContext? batch))
            return batch;
        batch = new BatchContext(commandIds);
        _all.Enqueue(batch);
        return batch;
    }

    // Lives as long as its thread. The only notification of a thread's end in .NET is the collection of objects that belonged to it.
    private sealed class Lease(BatchContextPool pool, BatchContext batch)
    {
        ~Lease() => pool._idle.Push(batch);

        public BatchContext Batch => batch;
    }
}
