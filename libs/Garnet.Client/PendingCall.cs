// A request whose reply has not arrived yet. Completed once, by any thread.
namespace Garnet.Client;

/// <summary>
/// A caller's wait for its reply. Cancelling it does not remove it from the queue: its reply still arrives, and is dropped.
/// </summary>
internal sealed class PendingCall(long startedAt) : TaskCompletionSource<RespValue>(TaskCreationOptions.RunContinuationsAsynchronously)
{
    /// <summary>Timestamp of the call.</summary>
    public long StartedAt => startedAt;

    /// <summary>The reply, or cancellation.</summary>
    public Task<RespValue> WithCancellation(CancellationToken cancellationToken) =>
        cancellationToken.CanBeCanceled ? Task.WaitAsync(cancellationToken) : Task;
}
