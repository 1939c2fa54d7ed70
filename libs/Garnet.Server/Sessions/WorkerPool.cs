// The workers of a server's threads. Thread-safe.
using System.Collections.Concurrent;

namespace Garnet.Server.Sessions;

/// <summary>
/// Gives each thread that executes commands a worker of its own. When a thread has ended, its worker goes to the next new one, counters and all: pool threads
/// come and go, and neither may their counts be lost nor their workers pile up.
/// </summary>
internal sealed class WorkerPool : IDisposable
{
    private readonly ThreadLocal<Lease> current;
    // No bag: it would be finalised in no order with those who give back to it.
    private readonly ConcurrentStack<Worker> idle = [];
    private readonly ConcurrentQueue<Worker> all = [];

    public WorkerPool(int commandIds) => current = new ThreadLocal<Lease>(() => new Lease(this, Take(commandIds)));

    /// <summary>The calling thread's worker.</summary>
    public Worker Current => current.Value!.Worker;

    /// <summary>Every worker there is, those of ended threads included.</summary>
    public IEnumerable<Worker> All => all;

    public void Dispose() => current.Dispose();

    private Worker Take(int commandIds)
    {
        if (idle.TryPop(out Worker? worker))
            return worker;
        worker = new Worker(commandIds);
        all.Enqueue(worker);
        return worker;
    }

    // Lives as long as its thread. The runtime tells a thread's end in no other way than by collecting what belonged to it.
    private sealed class Lease(WorkerPool pool, Worker worker)
    {
        ~Lease() => pool.idle.Push(worker);

        public Worker Worker => worker;
    }
}
