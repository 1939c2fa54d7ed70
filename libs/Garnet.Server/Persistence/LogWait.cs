// The wait of WAITAOF for this server's own log. Created by the client's thread; completes on a thread of the log's or the clock's.
using Garnet.Persistence.AppendLog;
using Garnet.Protocol;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Persistence;

/// <summary>Replies whether writes before the call are durable, as soon as they are, or when the timeout has passed (0: none).</summary>
internal sealed class LogWait(AppendOnlyLog log, TimeProvider time, long timeoutMs) : PendingReply, IDurabilityWaiter
{
    // A delay's milliseconds must fit an int.
    private const long MaxMsAtOnce = int.MaxValue;

    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly long _offset = log.Appended;

    /// <inheritdoc/>
    public override bool EndsWithPeer => true;

    /// <inheritdoc/>
    public override bool HasTimeout => timeoutMs != 0;

    /// <summary>Replies with the number of local logs and of replicas that have the writes.</summary>
    public static void Write(ref RespWriter reply, bool isLocal)
    {
        reply.WriteArray(2);
        reply.WriteInteger(isLocal ? 1 : 0);
        reply.WriteInteger(0);
    }

    /// <inheritdoc/>
    public override async Task WaitAsync(CancellationToken connectionClosed)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(connectionClosed);
        if (!log.Await(_offset, this))
            _ended.TrySetResult(false);
        await Task.WhenAny(DelayAsync(stop.Token), _ended.Task).ConfigureAwait(false);
        connectionClosed.ThrowIfCancellationRequested();
        _ended.TrySetResult(false);
        await stop.CancelAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void OnDurable() => _ended.TrySetResult(false);

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        if (_ended.Task.Result)
            reply.WriteError(UnblockedError);
        else
            Write(ref reply, log.Durable >= _offset);
    }

    /// <inheritdoc/>
    public override bool TryUnblock(bool withError) => _ended.TrySetResult(withError);

    private async Task DelayAsync(CancellationToken stopped)
    {
        if (timeoutMs == 0)
            await Task.Delay(Timeout.InfiniteTimeSpan, time, stopped).ConfigureAwait(false);
        for (long left = timeoutMs; left > 0; left -= MaxMsAtOnce)
            await Task.Delay(TimeSpan.FromMilliseconds(Math.Min(left, MaxMsAtOnce)), time, stopped).ConfigureAwait(false);
    }
}
