// A request whose reply has yet to come. Completed once, by any thread.
namespace Garnet.Client;

/// <summary>A caller's wait for its reply; cancelling it leaves the request's place in the line of replies.</summary>
internal sealed class PendingCall(long startedAt) : TaskCompletionSource<RespValue>(TaskCreationOptions.RunContinuationsAsynchronously)
{
    /// <summary>Timestamp of the call.</summary>
    public long StartedAt => startedAt;

    /// <summary>The reply, or cancellation.</summary>
    public Task<RespValue> WithCancellation(CancellationToken cancellationToken) =>
        cancellationToken.CanBeCanceled ? Task.WaitAsync(cancellationToken) : Task;
}
