// The threads that replay effects, and the batches that circulate. Thread-safe for one producer and its workers.
using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;
using Garnet.Engine.Execution;

namespace Garnet.Server.Persistence.Replay;

/// <summary>
/// Each worker gets every batch of which it has a share, in order, and each key belongs to one worker: so the effects on each key keep
/// their order. The first failure ends everything and is thrown to the producer.
/// </summary>
internal sealed class ReplayWorkers : IDisposable
{
    // Few enough that parsed data is still in the processor's cache when it is executed.
    private const int Batches = 8;

    private readonly ClientFactory _clients;
    private readonly BlockingCollection<ReplayBatch> _free = [];
    private readonly BlockingCollection<ReplayBatch>[] _queues;
    private readonly Thread[] _threads;
    private readonly CancellationTokenSource _stop = new();
    private ExceptionDispatchInfo? _failure;
    private long _errors;

    /// <summary>Starts the threads.</summary>
    public ReplayWorkers(ClientFactory clients, int workers)
    {
        _clients = clients;
        for (int i = 0; i < Batches; i++)
            _free.Add(new ReplayBatch(workers));
        _queues = [.. Enumerable.Range(0, workers).Select(static _ => new BlockingCollection<ReplayBatch>())];
        _threads = [.. Enumerable.Range(0, workers).Select(i => new Thread(() => Work(i)) { IsBackground = true, Name = $"replay-{i}" })];
        foreach (Thread thread in _threads)
            thread.Start();
    }

    /// <summary>Effects that replied with an error; exact after <see cref="Settle"/>.</summary>
    public long Errors => Volatile.Read(ref _errors);

    /// <summary>Returns a batch to fill, after waiting for one.</summary>
    public ReplayBatch Take()
    {
        try
        {
            return _free.Take(_stop.Token);
        }
        catch (OperationCanceledException) when (_failure is not null)
        {
            _failure.Throw();
            throw;
        }
    }

    /// <summary>Returns a batch in which no worker has a share.</summary>
    public void PutFree(ReplayBatch batch) => _free.Add(batch, CancellationToken.None);

    /// <summary>Passes a batch to the workers that have a share of it.</summary>
    public void Put(ReplayBatch batch)
    {
        int left = batch.CountShares();
        if (left == 0)
            PutFree(batch);
        // When the last one has it, it may be returned and refilled at once.
        for (int i = 0; left > 0; i++)
        {
            if (batch.ShareOf(i).IsEmpty)
                continue;
            left--;
            _queues[i].Add(batch, CancellationToken.None);
        }
    }

    /// <summary>Waits until everything passed to the workers is executed; rethrows a worker's exception.</summary>
    /// <param name="held">Batches that the caller has taken.</param>
    public void Settle(int held = 0)
    {
        var others = new ReplayBatch[Batches - held];
        for (int i = 0; i < others.Length; i++)
            others[i] = Take();
        foreach (ReplayBatch batch in others)
            PutFree(batch);
    }

    /// <summary>Ends the threads, whether or not work remains.</summary>
    public void Dispose()
    {
        _stop.Cancel();
        foreach (Thread thread in _threads)
            thread.Join();
        foreach (BlockingCollection<ReplayBatch> queue in _queues)
            queue.Dispose();
        _free.Dispose();
        _stop.Dispose();
    }

    // The only place that catches a worker's failure: it is rethrown to the producer's caller.
    private void Work(int number)
    {
        try
        {
            using ReplaySession session = new(_clients);
            foreach (ReplayBatch batch in _queues[number].GetConsumingEnumerable(_stop.Token))
            {
                long before = session.Errors;
                session.Run(batch, batch.ShareOf(number));
                Interlocked.Add(ref _errors, session.Errors - before);
                if (batch.FinishShare())
                    PutFree(batch);
            }
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // The cause is reported by another thread.
        }
        catch (Exception e)
        {
            Interlocked.CompareExchange(ref _failure, ExceptionDispatchInfo.Capture(e), null);
            _stop.Cancel();
        }
    }
}
