// The workers of a server's threads. Thread-safe.
using System.Collections.Concurrent;

namespace Garnet.Server.Sessions;

/// <summary>
/// Gives each thread that executes commands a worker of its own. When a thread has ended, its worker goes to the next new one, counters and
/// all: pool threads come and go, and neither may their counts be lost nor their workers pile up.
/// </summary>
internal sealed class BatchContextPool : IDisposable
{
    private readonly ThreadLocal<Lease> _current;

    // No bag: it would be finalised in no order with those who give back to it.
    private readonly ConcurrentStack<BatchContext> _idle = [];
    private readonly ConcurrentQueue<BatchContext> _all = [];

    public BatchContextPool(int commandIds) => _current = new ThreadLocal<Lease>(() => new Lease(this, Take(commandIds)));

    /// <summary>The calling thread's worker.</summary>
    public BatchContext Current => _current.Value!.Batch;

    /// <summary>Every worker there is, those of ended threads included.</summary>
    public IEnumerable<BatchContext> All => _all;

    public void Dispose() => _current.Dispose();

    private BatchContext Take(int commandIds)
    {
        if (_idle.TryPop(out BatchContext? batch))
            return batch;
        batch = new BatchContext(commandIds);
        _all.Enqueue(batch);
        return batch;
    }

    // Lives as long as its thread. The runtime tells a thread's end in no other way than by collecting what belonged to it.
    private sealed class Lease(BatchContextPool pool, BatchContext batch)
    {
        ~Lease() => pool._idle.Push(batch);

        public BatchContext Batch => batch;
    }
}
