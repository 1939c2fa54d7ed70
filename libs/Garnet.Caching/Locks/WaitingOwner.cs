// An owner that waits for a lock. Thread-safe.
namespace Garnet.Caching.Locks;

/// <summary>Is told when it may be its turn, and says when it has given back what it had in the server.</summary>
internal sealed class WaitingOwner
{
    private readonly TaskCompletionSource _left = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile TaskCompletionSource _told = new();

    /// <summary>Completes when it has a lock, or neither that nor a place any more.</summary>
    public Task Left => _left.Task;

    /// <summary>Completes at the next message; what was said before does not count.</summary>
    public Task Listen() => (_told = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;

    /// <summary>It may be its turn.</summary>
    public void Tell() => _told.TrySetResult();

    /// <summary>It does not wait any more.</summary>
    public void Leave() => _left.SetResult();
}
