// The pending reply of WAIT and WAITAOF. Created by the client's thread; completed by others.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Persistence.AppendLog;
using Garnet.Protocol;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Waits until enough replicas have acknowledged the client's last write, for WAITAOF those that have it in their log, and the server's
/// own log too; or until the timeout (0: the end of the connection). The reply says how many have acknowledged by then.
/// </summary>
/// <param name="persistence">The log.</param>
/// <param name="replication">The replicas.</param>
/// <param name="clock">The time.</param>
/// <param name="position">The client's last write.</param>
/// <param name="replicas">Replicas to wait for.</param>
/// <param name="timeoutMs">The timeout.</param>
/// <param name="isDurable">Whether only replicas that have the write in their log count (WAITAOF).</param>
internal sealed class ReplicaWait(
    ServerPersistence persistence,
    ServerReplication replication,
    ServerClock clock,
    long position,
    int replicas,
    long timeoutMs,
    bool isDurable
) : PendingReply, IDurabilityWaiter
{
    // A delay in milliseconds must fit in an int.
    private const long MaxMsAtOnce = int.MaxValue;

    private readonly AppendOnlyLog? _log = persistence.AppendOnly.Log;
    private readonly long _logPosition = persistence.AppendOnly.Log?.Appended ?? 0;

    private bool _hasNoLog;

    // The result is what ended the wait before its time, if anything.
    private readonly TaskCompletionSource<UnblockReason> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _isInLog = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Makes a command wait, and asks the replicas how far they are.</summary>
    public static void Begin(ref CommandContext context, ReplicaWait wait)
    {
        context.Suspend(wait);
        wait.RequestAcknowledgements();
    }

    /// <inheritdoc/>
    public override bool EndsWithPeer => true;

    /// <inheritdoc/>
    public override bool HasTimeout => timeoutMs != 0;

    /// <summary>Whether the server's own log is waited for.</summary>
    public bool AwaitsLog { get; init; }

    /// <summary>The error when there is no log to wait for, or not any more.</summary>
    public static ReadOnlySpan<byte> NoLog => "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled."u8;

    private bool IsInLog => _log is not null && _log.Durable >= _logPosition;

    private void RequestAcknowledgements() => replication.RequestAcknowledgements();

    private ReplicaLinks Links => replication.Replicas;

    private bool IsOver => Links.CountAcknowledged(position, isDurable) >= replicas && (!AwaitsLog || IsInLog);

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
        Task late = DelayAsync(stop.Token);
        if (!AwaitsLog || _log?.Await(_logPosition, this) != true)
            _isInLog.TrySetResult();
        int waiting = AwaitsLog ? 1 : 0;
        Links.CountWaitingForLog(waiting);
        while (true)
        {
            // Taken before the check, so that no acknowledgement is missed.
            Task change = Links.NextChange;
            _hasNoLog = AwaitsLog && persistence.AppendOnly.Log is null;
            if (_hasNoLog || IsOver)
                break;
            Task logged = _isInLog.Task.IsCompleted ? change : _isInLog.Task;
            Task first = await Task.WhenAny(late, _ended.Task, change, logged).ConfigureAwait(false);
            if (first == late || first == _ended.Task)
                break;
        }

        Links.CountWaitingForLog(-waiting);
        connectionClosed.ThrowIfCancellationRequested();
        _ended.TrySetResult(UnblockReason.Timeout);
        await stop.CancelAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void OnDurable() => _isInLog.TrySetResult();

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        if (_ended.Task.Result is not UnblockReason.Timeout and var reason)
        {
            reply.WriteError(UnblockedError(reason));
            return;
        }

        if (_hasNoLog)
        {
            reply.WriteError(NoLog);
            return;
        }

        int acknowledged = Links.CountAcknowledged(position, isDurable);
        if (isDurable)
            LogWait.Write(ref reply, IsInLog, acknowledged);
        else
            reply.WriteInteger(acknowledged);
    }

    /// <inheritdoc/>
    public override bool EndsConnection => _ended.Task.IsCompleted && _ended.Task.Result == UnblockReason.RoleChange;

    /// <inheritdoc/>
    public override bool TryUnblock(UnblockReason reason) => _ended.TrySetResult(reason);

    private async Task DelayAsync(CancellationToken stopped)
    {
        if (timeoutMs == 0)
            await Task.Delay(Timeout.InfiniteTimeSpan, clock.Time, stopped).ConfigureAwait(false);
        for (long left = timeoutMs; left > 0; left -= MaxMsAtOnce)
            await Task.Delay(TimeSpan.FromMilliseconds(Math.Min(left, MaxMsAtOnce)), clock.Time, stopped).ConfigureAwait(false);
    }
}
