// One save on its way through the saver: waiting, at its flip, then written. Changed under the saver's lock; Request, Job and Done are read
// by any thread.
namespace Garnet.Persistence.Snapshots;

/// <summary>A request, the job that carries it out once it has begun, and the task of whoever waits for its end.</summary>
internal sealed class QueuedSave(SaveRequest request, SaveTurn turn)
{
    private readonly TaskCompletionSource<SaveOutcome> _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile SaveJob? _job;
    private bool _isCancelled;

    /// <summary>What to save and where.</summary>
    public SaveRequest Request => request;

    /// <summary>Its place in the queue.</summary>
    public SaveTurn Turn => turn;

    /// <summary>The job, from the flip on; null before.</summary>
    public SaveJob? Job => _job;

    /// <summary>Completes at the end of the save; faulted only if the flip threw.</summary>
    public Task<SaveOutcome> Done => _done.Task;

    /// <summary>The flip has been made; a save that was cancelled before it stops at once.</summary>
    public void Begin(SaveJob job)
    {
        _job = job;
        if (_isCancelled)
            job.Cancel();
    }

    /// <summary>Makes it stop soon, also if its flip is still to come.</summary>
    public void Cancel()
    {
        _isCancelled = true;
        _job?.Cancel();
    }

    /// <summary>The save has ended.</summary>
    public void Complete(SaveOutcome outcome) => _done.SetResult(outcome);

    /// <summary>The flip threw: there is no snapshot.</summary>
    public void Fail(Exception problem) => _done.SetException(problem);

    /// <summary>It does not begin: the outcome is that of a save that was cancelled before its first byte.</summary>
    public void Refuse()
    {
        request.Lease?.Dispose();
        Complete(new SaveOutcome { Request = request, Result = SaveResult.Cancelled });
    }
}
