// The threads that insert keys, and the chunks that circulate between them and the reader. Thread-safe for one producer and its workers.
using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;

namespace Garnet.Persistence.Rdb.Loading;

/// <summary>Runs workers over a bounded number of chunks; the first failure ends everything and is thrown to the producer.</summary>
internal sealed class RdbLoadWorkers : IDisposable
{
    private const int SpareChunks = 2;
    private readonly RdbInserter[] _inserters;
    private readonly Thread[] _threads;
    private readonly BlockingCollection<RdbChunk> _free = [];
    private readonly BlockingCollection<RdbChunk> _filled = [];
    private readonly CancellationTokenSource _stop;
    private ExceptionDispatchInfo? _failure;

    /// <summary>Starts a thread for each inserter.</summary>
    public RdbLoadWorkers(RdbInserter[] inserters, CancellationToken cancel)
    {
        _inserters = inserters;
        _stop = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        for (int i = 0; i < (2 * inserters.Length) + SpareChunks; i++)
            _free.Add(new RdbChunk());
        _threads = [.. inserters.Select((inserter, i) => new Thread(() => Work(inserter)) { IsBackground = true, Name = $"load-{i}" })];
        foreach (Thread thread in _threads)
            thread.Start();
    }

    /// <summary>Sets the file's version, before the first chunk.</summary>
    public void SetVersion(int version)
    {
        foreach (RdbInserter inserter in _inserters)
            inserter.Version = version;
    }

    /// <summary>Keys past their expiry are inserted, from the next chunk on.</summary>
    public void KeepExpired()
    {
        foreach (RdbInserter inserter in _inserters)
            inserter.KeepsExpired = true;
    }

    /// <summary>Returns a chunk to fill, after waiting for one.</summary>
    public RdbChunk TakeFree() => Guarded(() => _free.Take(_stop.Token));

    /// <summary>Returns a chunk that was not filled.</summary>
    public void PutFree(RdbChunk chunk) => _free.Add(chunk, CancellationToken.None);

    /// <summary>Hands a filled chunk to the workers.</summary>
    public void Put(RdbChunk chunk) => _filled.Add(chunk, CancellationToken.None);

    /// <summary>Waits until every chunk is inserted; rethrows a worker's exception.</summary>
    public void Complete()
    {
        if (!_filled.IsAddingCompleted)
            _filled.CompleteAdding();
        foreach (Thread thread in _threads)
            thread.Join();
        _failure?.Throw();
        _stop.Token.ThrowIfCancellationRequested();
    }

    /// <summary>Ends the threads, whether or not chunks remain.</summary>
    public void Dispose()
    {
        _stop.Cancel();
        foreach (Thread thread in _threads)
            thread.Join();
        _free.Dispose();
        _filled.Dispose();
        _stop.Dispose();
    }

    private T Guarded<T>(Func<T> wait)
    {
        try
        {
            return wait();
        }
        catch (OperationCanceledException) when (_failure is not null)
        {
            _failure.Throw();
            throw;
        }
    }

    // The only place that catches a worker's failure: it is rethrown to the producer's caller.
    private void Work(RdbInserter inserter)
    {
        try
        {
            foreach (RdbChunk chunk in _filled.GetConsumingEnumerable(_stop.Token))
            {
                inserter.Insert(chunk);
                _free.Add(chunk, CancellationToken.None);
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
