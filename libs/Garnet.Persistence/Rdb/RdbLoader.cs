// Loads an RDB file into a store: one thread reads, others insert. Each instance runs one load at a time.
using Garnet.Persistence.Rdb.Loading;
using Garnet.Store;

namespace Garnet.Persistence.Rdb;

/// <summary>
/// Loads files of Redis (versions 1 to 79, as far as types are known), Valkey (80) and this server. The store must be empty. After a failed
/// load part of the file is in the store: the caller must not serve it. Nothing is written to the store's write sink.
/// </summary>
internal sealed class RdbLoader
{
    private readonly HybridLogStore _store;
    private readonly RdbLoadOptions _options;

    /// <summary>Creates a loader for a store.</summary>
    public RdbLoader(HybridLogStore store, RdbLoadOptions options)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Workers, 1);
        _store = store;
        _options = options;
    }

    /// <summary>The progress of loading.</summary>
    public RdbLoadProgress Progress { get; } = new();

    /// <summary>Loads the file whose beginning is the stream's position, and blocks until that is done.</summary>
    /// <exception cref="RdbFormatException">The file is damaged, or contains something this version cannot read.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="OperationCanceledException">The load was cancelled.</exception>
    public RdbLoadResult Load(Stream file, CancellationToken cancel = default)
    {
        ArgumentNullException.ThrowIfNull(file);
        long length = file.CanSeek ? file.Length - file.Position : -1;
        Progress.TotalBytes = length;
        RdbInserter[] inserters = [.. Enumerable.Range(0, _options.Workers).Select(_ => new RdbInserter(_store, _options, Progress))];
        using var own = new RdbInserter(_store, _options, Progress);
        RdbLoadResult result;
        try
        {
            using var workers = new RdbLoadWorkers(inserters, cancel);
            var input = new RdbInput(file, GC.AllocateUninitializedArray<byte>(RdbChunk.Bytes), length)
            {
                IsHashing = _options.VerifiesChecksum,
            };
            result = ReadFile(new RdbFileReader(_store, input, _options, Progress, workers, own), workers);
        }
        finally
        {
            foreach (RdbInserter inserter in inserters)
                inserter.Dispose();
            _store.Growth.EndExpectation();
        }

        result.Keys = Progress.Keys;
        result.ExpiredKeys = Progress.ExpiredKeys;
        result.EmptyKeys = own.EmptyKeys + inserters.Sum(inserter => inserter.EmptyKeys);
        return result;
    }

    // A worker's error lies before the reader's in the file, and may be its cause.
    private static RdbLoadResult ReadFile(RdbFileReader reader, RdbLoadWorkers workers)
    {
        try
        {
            RdbLoadResult result = reader.Read();
            workers.Complete();
            return result;
        }
        catch (RdbFormatException)
        {
            workers.Complete();
            throw;
        }
    }
}
