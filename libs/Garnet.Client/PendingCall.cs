// A request whose reply has not arrived yet. Completed once, by any thread.
namespace Garnet.Client;

/// <summary>
/// A caller's wait for its reply. Cancelling it does not remove it from the queue: its reply still arrives, and is dropped.
/// </summary>
/// <param name="startedAt">Timestamp of the call.</param>
/// <param name="throwsErrors">Whether an error reply is an exception to the caller.</param>
internal sealed class PendingCall(long startedAt, bool throwsErrors)
    : TaskCompletionSource<RespValue>(TaskCreationOptions.RunContinuationsAsynchronously),
        IPendingReply
{
    /// <inheritdoc/>
    public long StartedAt => startedAt;

    /// <inheritdoc/>
    public bool Complete(RespValue reply)
    {
        if (throwsErrors && reply.IsError)
            TrySetException(new GarnetCommandException(reply.ErrorMessage!));
        else
            TrySetResult(reply);
        return true;
    }

    /// <inheritdoc/>
    public void Fail(Exception why) => TrySetException(why);

    /// <summary>The reply, or cancellation.</summary>
    public Task<RespValue> WithCancellation(CancellationToken cancellationToken) =>
        cancellationToken.CanBeCanceled ? Task.WaitAsync(cancellationToken) : Task;
}
