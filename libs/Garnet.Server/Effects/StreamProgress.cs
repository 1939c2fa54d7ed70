// Wakes callers that wait until a position is applied. The task that applies notes progress; any thread waits.
namespace Garnet.Server.Effects;

/// <summary>Costs one read of a field while nothing waits.</summary>
internal sealed class StreamProgress
{
    private TaskCompletionSource? _next;

    /// <summary>Completes at the next progress. To be taken before the position is looked at, so that none is missed.</summary>
    public Task Next
    {
        get
        {
            TaskCompletionSource? next = Volatile.Read(ref _next);
            if (next is not null)
                return next.Task;
            TaskCompletionSource fresh = new(TaskCreationOptions.RunContinuationsAsynchronously);
            return (Interlocked.CompareExchange(ref _next, fresh, null) ?? fresh).Task;
        }
    }

    /// <summary>More of the stream is applied, or the history has changed.</summary>
    public void Note()
    {
        if (Volatile.Read(ref _next) is not null)
            Interlocked.Exchange(ref _next, null)?.TrySetResult();
    }
}
