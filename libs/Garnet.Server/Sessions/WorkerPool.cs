// The workers of a server's threads. Thread-safe.
using System.Collections.Concurrent;

namespace Garnet.Server.Sessions;

/// <summary>
/// Gives each thread that executes commands a worker of its own. When a thread has ended, its worker goes to the next new one, counters and all: pool threads
/// come and go, and neither may their counts be lost nor their workers pile up.
/// </summary>
internal sealed class WorkerPool : IDisposable
{
    private readonly ThreadLocal<Lease> _current;
    // No bag: it would be finalised in no order with those who give back to it.
    private readonly ConcurrentStack<Worker> _idle = [];
    private readonly ConcurrentQueue<Worker> _all = [];

    public WorkerPool(int commandIds) => _current = new ThreadLocal<Lease>(() => new Lease(this, Take(commandIds)));

    /// <summary>The calling thread's worker.</summary>
    public Worker Current => _current.Value!.Worker;

    /// <summary>Every worker there is, those of ended threads included.</summary>
    public IEnumerable<Worker> All => _all;

    public void Dispose() => _current.Dispose();

    private Worker Take(int commandIds)
    {
        if (_idle.TryPop(out Worker? worker))
            return worker;
        worker = new Worker(commandIds);
        _all.Enqueue(worker);
        return worker;
    }

    // Lives as long as its thread. The runtime tells a thread's end in no other way than by collecting what belonged to it.
    private sealed class Lease(WorkerPool pool, Worker worker)
    {
        ~Lease() => pool._idle.Push(worker);

        public Worker Worker => worker;
    }
}
