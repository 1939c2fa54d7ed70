// The threads that insert keys, and the chunks that go to them and come back. Thread-safe for one producer and its workers.
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

    /// <summary>Tells the file's version, before the first chunk.</summary>
    public void SetVersion(int version)
    {
        foreach (RdbInserter inserter in _inserters)
            inserter.Version = version;
    }

    /// <summary>A chunk to fill; waits for one.</summary>
    public RdbChunk TakeFree() => Guarded(() => _free.Take(_stop.Token));

    /// <summary>Gives back a chunk that was not filled.</summary>
    public void PutFree(RdbChunk chunk) => _free.Add(chunk, CancellationToken.None);

    /// <summary>Hands a filled chunk to the workers.</summary>
    public void Put(RdbChunk chunk) => _filled.Add(chunk, CancellationToken.None);

    /// <summary>Waits until every chunk is inserted; throws what a worker met.</summary>
    public void Complete()
    {
        if (!_filled.IsAddingCompleted)
            _filled.CompleteAdding();
        foreach (Thread thread in _threads)
            thread.Join();
        _failure?.Throw();
        _stop.Token.ThrowIfCancellationRequested();
    }

    /// <summary>Ends the threads, whatever is left to insert.</summary>
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
        catch (OperationCanceledException) when (_failure != null)
        {
            _failure.Throw();
            throw;
        }
    }

    // The one place where a worker's failure is caught: it is the producer's caller who must hear of it.
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
            // Somebody else says why.
        }
        catch (Exception e)
        {
            Interlocked.CompareExchange(ref _failure, ExceptionDispatchInfo.Capture(e), null);
            _stop.Cancel();
        }
    }
}
