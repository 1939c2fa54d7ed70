// Requests that were sent together and whose replies have not all arrived yet. Completed by the thread that reads.
namespace Garnet.Client;

/// <summary>
/// A caller's wait for the replies of its requests, in their order. An error among them is an exception, after the last one.
/// </summary>
/// <param name="startedAt">Timestamp of the call.</param>
/// <param name="requests">How many there are, at least one.</param>
internal sealed class PendingBatch(long startedAt, int requests)
    : TaskCompletionSource<RespValue[]>(TaskCreationOptions.RunContinuationsAsynchronously),
        IPendingReply
{
    private readonly RespValue[] _replies = new RespValue[requests];
    private int _count;

    /// <inheritdoc/>
    public long StartedAt => startedAt;

    /// <inheritdoc/>
    public bool Complete(RespValue reply)
    {
        _replies[_count++] = reply;
        if (_count < _replies.Length)
            return false;
        if (Array.Find(_replies, static reply => reply.IsError) is { ErrorMessage: { } error })
            TrySetException(new GarnetCommandException(error));
        else
            TrySetResult(_replies);
        return true;
    }

    /// <inheritdoc/>
    public void Fail(Exception why) => TrySetException(why);
}
