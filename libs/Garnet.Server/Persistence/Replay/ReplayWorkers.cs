// The threads that carry effects out, and the batches that go to them and come back. Thread-safe for one producer and its workers.
using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;
using Garnet.Server.Sessions;

namespace Garnet.Server.Persistence.Replay;

/// <summary>
/// Each worker gets every batch in which it has a share, in order, and keys belong to one worker each: so the effects on each key keep
/// their order. The first failure ends everything and is thrown to the producer.
/// </summary>
internal sealed class ReplayWorkers : IDisposable
{
    // So few that what was parsed is still in the processor's cache when it is carried out.
    private const int Batches = 8;

    private readonly RespServer _server;
    private readonly BlockingCollection<ReplayBatch> _free = [];
    private readonly BlockingCollection<ReplayBatch>[] _queues;
    private readonly Thread[] _threads;
    private readonly CancellationTokenSource _stop = new();
    private ExceptionDispatchInfo? _failure;
    private long _errors;

    /// <summary>Starts the threads.</summary>
    public ReplayWorkers(RespServer server, int workers)
    {
        _server = server;
        for (int i = 0; i < Batches; i++)
            _free.Add(new ReplayBatch(workers));
        _queues = [.. Enumerable.Range(0, workers).Select(static _ => new BlockingCollection<ReplayBatch>())];
        _threads = [.. Enumerable.Range(0, workers).Select(i => new Thread(() => Work(i)) { IsBackground = true, Name = $"replay-{i}" })];
        foreach (Thread thread in _threads)
            thread.Start();
    }

    /// <summary>Effects answered with an error; exact after <see cref="Settle"/>.</summary>
    public long Errors => Volatile.Read(ref _errors);

    /// <summary>A batch to fill; waits for one.</summary>
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

    /// <summary>Gives back a batch that the workers have nothing to do with.</summary>
    public void PutFree(ReplayBatch batch) => _free.Add(batch, CancellationToken.None);

    /// <summary>Hands a batch to those who have a share in it.</summary>
    public void Put(ReplayBatch batch)
    {
        int left = batch.CountShares();
        if (left == 0)
            PutFree(batch);
        // When the last one has it, it may be given back and filled anew at once.
        for (int i = 0; left > 0; i++)
        {
            if (batch.ShareOf(i).IsEmpty)
                continue;
            left--;
            _queues[i].Add(batch, CancellationToken.None);
        }
    }

    /// <summary>Waits until everything that was handed to the workers is carried out; throws what a worker met.</summary>
    /// <param name="held">Batches that the caller has taken.</param>
    public void Settle(int held = 0)
    {
        var others = new ReplayBatch[Batches - held];
        for (int i = 0; i < others.Length; i++)
            others[i] = Take();
        foreach (ReplayBatch batch in others)
            PutFree(batch);
    }

    /// <summary>Ends the threads, whatever is left to do.</summary>
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

    // The one place where a worker's failure is caught: it is the producer's caller who must hear of it.
    private void Work(int number)
    {
        try
        {
            using ReplaySession session = new(_server);
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
            // Somebody else says why.
        }
        catch (Exception e)
        {
            Interlocked.CompareExchange(ref _failure, ExceptionDispatchInfo.Capture(e), null);
            _stop.Cancel();
        }
    }
}
