// A load in progress, of a type. Thread-safe.
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching.Hybrid;

/// <summary>Its result is for the caller that began it as it is; others take their values from the entry.</summary>
internal sealed class FlightOf<T>(string key, HybridCacheEntryFlags flags) : Flight(key, flags)
{
    private readonly TaskCompletionSource<LoadResult<T>> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The result.</summary>
    public Task<LoadResult<T>> Result => _result.Task;

    /// <inheritdoc/>
    public override Task Over => _result.Task.ContinueWith(static _ => { }, TaskScheduler.Default);

    /// <summary>The load has succeeded.</summary>
    public void Complete(in LoadResult<T> result) => _result.TrySetResult(result);

    /// <summary>The load has failed.</summary>
    public void Fail(Exception why)
    {
        if (why is OperationCanceledException cancelled)
            _result.TrySetCanceled(cancelled.CancellationToken);
        else
            _result.TrySetException(why);
        // Seen here, for the case that all callers have left.
        _ = _result.Task.Exception;
    }
}
