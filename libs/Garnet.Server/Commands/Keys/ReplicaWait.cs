// The pending reply of WAIT and WAITAOF. Created by the client's thread; completed by the timer's.
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Server.Persistence;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Waits for acknowledgements from replicas. There are no replicas, so it ends with the timeout (0: with the connection) and replies 0.
/// </summary>
internal sealed class ReplicaWait(TimeProvider time, long timeoutMs, AppendOnly? local) : PendingReply
{
    // A delay in milliseconds must fit in an int.
    private const long MaxMsAtOnce = int.MaxValue;

    private readonly long _offset = local?.Log?.Appended ?? 0;

    // The result is whether CLIENT UNBLOCK ... ERROR ended the wait.
    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <inheritdoc/>
    public override bool EndsWithPeer => true;

    /// <inheritdoc/>
    public override bool HasTimeout => timeoutMs != 0;

    /// <summary>Parses a timeout in milliseconds; writes Valkey's error and returns false if it is invalid.</summary>
    public static bool TryGetTimeout(ref CommandContext context, int index, out long timeoutMs)
    {
        if (!IntegerText.TryParse(context[index], out timeoutMs))
            context.Reply.WriteError("ERR timeout is not an integer or out of range"u8);
        else if (timeoutMs < 0)
            context.Reply.WriteError("ERR timeout is negative"u8);
        else if (timeoutMs > long.MaxValue - context.NowMs)
            context.Reply.WriteError("ERR timeout is out of range"u8);
        else
            return true;
        return false;
    }

    /// <summary>
    /// Number of replicas to wait for: Valkey keeps the low 32 bits of the argument, and a wait for fewer than one ends at once.
    /// </summary>
    public static int Wanted(long replicas) => Math.Max(unchecked((int)replicas), 0);

    /// <inheritdoc/>
    public override async Task WaitAsync(CancellationToken connectionClosed)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(connectionClosed);
        await Task.WhenAny(DelayAsync(stop.Token), _ended.Task).ConfigureAwait(false);
        connectionClosed.ThrowIfCancellationRequested();
        _ended.TrySetResult(false);
        await stop.CancelAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        if (_ended.Task.Result)
            reply.WriteError(UnblockedError);
        else if (local is not null)
            LogWait.Write(ref reply, local.Log is { } log && log.Durable >= _offset);
        else
            reply.WriteInteger(0);
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
