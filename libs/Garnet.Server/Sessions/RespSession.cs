// The read-execute-reply loop of one connection. Runs on the thread that owns the connection; occupies no thread while it waits.
using System.Buffers;
using System.Diagnostics;
using System.IO.Pipelines;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Persistence.AppendLog;
using Garnet.Protocol;
using Garnet.Server.Messaging;
using Garnet.Server.Modules;
using Garnet.Server.Persistence;
using Garnet.Server.Tracking;
using Garnet.Store;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Sessions;

/// <summary>Turns the bytes of one connection into commands and their replies.</summary>
internal sealed class RespSession(ClientSession client, IDuplexPipe pipe, ClientParts parts, SessionParts sessions) : ConnectionSession
{
    /// <summary>
    /// Reply size at which a batch is flushed before it continues, so that a pipeline of large reads does not collect all its replies
    /// first.
    /// </summary>
    private const int FlushThreshold = 1 << 20;

    /// <summary>How long a reply in pieces waits for a peer that accepts nothing.</summary>
    private static readonly TimeSpan PeerPatience = TimeSpan.FromSeconds(1);

    private readonly PipeReader _input = pipe.Input;
    private readonly PipeWriter _output = pipe.Output;
    private readonly RequestReader _requests = new(client, parts, sessions);
    private readonly MessageWriter _messages = new(client, pipe.Output);
    private PendingReply? _pending;
    private Task? _draining; // waiting for the network to accept a piece of a reply
    private bool _isPendingSilent; // CLIENT REPLY was off when the command began to wait
    private FilteredRequest? _filtered; // created when a module first filters a request
    private readonly PeerWatch _watch = new(client, pipe.Input);
    private Exception? _failure;
    private ReplyGate? _gate; // created when replies first have to wait for the append-only log
    private bool _isIdle; // waits for its peer or another thread, with no reply half-written; set and read on the owner

    /// <summary>Admits the client, or sends it the reason for the rejection and ends the connection.</summary>
    /// <param name="isAdmitted">Whether neither maxclients nor protected-mode is asked.</param>
    /// <param name="others">Clients that take no place of maxclients.</param>
    public async ValueTask<bool> TryAdmitAsync(bool isAdmitted, int others)
    {
        GarnetOptions options = sessions.Configuration.Current;
        if (!parts.Registry.TryAdd(client, isAdmitted ? long.MaxValue : options.MaxClients + others))
        {
            parts.Statistics.CountRejectedConnection();
            _output.Write("-ERR max number of clients reached\r\n"u8);
        }
        else if (!isAdmitted && options.ProtectedMode && sessions.Users.Default.Rules.AcceptsAnyPassword && !client.Connection.IsLocal)
        {
            parts.Registry.Remove(client);
            parts.Statistics.CountRejectedConnection();
            _output.Write(ProtectedModeText.Reply);
        }
        else
        {
            parts.Statistics.CountConnection();
            return true;
        }

        await _output.FlushAsync().ConfigureAwait(false);
        await CompleteAsync().ConfigureAwait(false);
        client.Dispose();
        return false;
    }

    /// <summary>
    /// Serves until the client disconnects, violates the protocol or is told to close. Replies not yet sent are sent by the transport after
    /// the pipe is completed.
    /// </summary>
    public async Task RunAsync()
    {
        try
        {
            // A single method, so that a round trip allocates no further state machine.
            while (true)
            {
                _isIdle = true;
                ReadResult read = _watch.TryTake(out ReadResult last) ? last : await _input.ReadAsync().ConfigureAwait(false);
                _isIdle = false;
                // CLIENT KILL has been acknowledged to its sender: no later request of this client is executed, even one that arrived
                // before the connection's end.
                if (client.End.IsForced)
                    return;
                BatchOutcome outcome = Process(read.Buffer, out SequencePosition consumed, out SequencePosition examined);
                _input.AdvanceTo(consumed, examined);
                if (ReplyHold.IsDue(client, sessions.AppendOnly, out AppendOnlyLog? log))
                    await (_gate ??= new ReplyGate(client)).Until(log);
                if (client.Output.Messages is { } messages && _pending is not { PrecedesMessages: true })
                    _messages.Write(messages);
                client.Output.Feed?.Write(_output);
                await _output.FlushAsync().ConfigureAwait(false);
                client.Output.Feed?.AfterFlush();
                if ((read.IsCanceled && client.End.IsRequested) || MustEnd(client, parts.Clock.NowMs))
                    return;
                if (outcome == BatchOutcome.NeedMore ? read.IsCompleted : !await ContinueAsync(outcome).ConfigureAwait(false))
                    return;
            }
        }
        catch (Exception e) when (e is ConnectionResetException or ConnectionAbortedException or OperationCanceledException or IOException)
        {
            // The peer is gone and cannot be notified; or the disk failed, and replies already written must not reach the peer.
            _failure = e;
        }
        finally
        {
            _isIdle = false;
            if (_pending is not null)
                await _pending.AbandonAsync().ConfigureAwait(false);
            await CompleteAsync().ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Cancelled when the client was found to have disconnected while one of its commands waited, or the connection is closed.
    /// </summary>
    public override CancellationToken Disconnected => _watch.Disconnected;

    /// <summary>Makes the session check for messages, and whether it is to end, when it next waits for requests. Any thread.</summary>
    public override void Wake() => _input.CancelPendingRead();

    /// <summary>
    /// True when the caller may write messages to <see cref="Output"/> itself and flush them: it runs on the connection's own thread, the
    /// session has left no reply half-written or unwritten, and no earlier message waits.
    /// </summary>
    public override bool TakesMessages =>
        _isIdle
        && client.Connection.FlushesAtOnce
        && client.Connection.IsOnOwnerThread
        && client.Output.Messages is not { Bytes: > 0 }
        && _pending is not { PrecedesMessages: true };

    /// <summary>The connection's output.</summary>
    public override PipeWriter Output => _output;

    /// <inheritdoc/>
    public override int WritePayload(ValueBlock payload) => _messages.WritePayload(payload);

    /// <summary>Sends messages that were written while <see cref="TakesMessages"/>.</summary>
    public override void FlushMessages()
    {
        ValueTask<FlushResult> flush = _output.FlushAsync();
        Debug.Assert(flush.IsCompleted, "A connection that flushes at once does not wait.");
        flush.GetAwaiter().GetResult();
    }

    /// <summary>Sends queued messages while a command waits, unless its reply is ready.</summary>
    public override async ValueTask WriteMessagesAsync()
    {
        if (client.Output.Messages is not { Bytes: > 0 } messages || _pending is { PrecedesMessages: true })
            return;
        _messages.Write(messages);
        await _output.FlushAsync().ConfigureAwait(false);
    }

    // Handles the rarer outcomes of a batch; false when the session ends.
    private async ValueTask<bool> ContinueAsync(BatchOutcome outcome)
    {
        switch (outcome)
        {
            case BatchOutcome.Close:
                return false;
            case BatchOutcome.ReceiveInPlace:
                return await _requests.ReceiveInPlaceAsync().ConfigureAwait(false);
            case BatchOutcome.Pending:
                await FinishPendingAsync().ConfigureAwait(false);
                return _pending is null && !client.End.AfterReply;
            case BatchOutcome.Paused:
                client.Wait.IsHeldBack = true;
                Task wait = client.Wait.Before!;
                bool isPaused = client.Wait.IsPaused;
                client.Wait.Before = null;
                await (isPaused ? _watch.WhileAsync(wait, _requests.HeldBytes) : WaitOnOwnerAsync(wait)).ConfigureAwait(false);
                client.Wait.IsHeldBack = false;
                client.Wait.IsBlocked = false;
                // As in Valkey nothing more is executed for a client that disconnected during CLIENT PAUSE.
                return !isPaused || !Disconnected.IsCancellationRequested;
            default:
                return true;
        }
    }

    /// <summary>Whether a connection ends now: it was told to, or its requests or replies take too much memory.</summary>
    internal static bool MustEnd(ClientSession client, long nowMs) =>
        client.End.IsForced || client.Input.EndIfTooMuch() || client.Output.EndIfSlow(client.Executor.Settings.OutputLimits, nowMs);

    private BatchOutcome Process(in ReadOnlySequence<byte> buffer, out SequencePosition consumed, out SequencePosition examined)
    {
        if (buffer.IsEmpty)
        {
            // The peer has ended the stream, or another thread woke the session.
            (consumed, examined) = (buffer.Start, buffer.End);
            return BatchOutcome.NeedMore;
        }

        if (buffer.IsSingleSegment)
        {
            BatchOutcome outcome = Process(buffer.FirstSpan, out int used);
            consumed = buffer.GetPosition(used);
            examined = outcome == BatchOutcome.NeedMore ? buffer.End : consumed;
            return outcome;
        }

        return ProcessSegments(buffer, out consumed, out examined);
    }

    // Chained segments. A request known to be incomplete is not copied again until enough has arrived.
    private BatchOutcome ProcessSegments(in ReadOnlySequence<byte> buffer, out SequencePosition consumed, out SequencePosition examined)
    {
        int length = checked((int)buffer.Length);
        if (length < _requests.RequiredLength)
        {
            client.Input.Bytes = length + _requests.HeldBytes;
            (consumed, examined) = (buffer.Start, buffer.End);
            return BatchOutcome.NeedMore;
        }

        byte[] joined = ArrayPool<byte>.Shared.Rent(length);
        buffer.CopyTo(joined);
        BatchOutcome outcome = Process(joined.AsSpan(0, length), out int used);
        ArrayPool<byte>.Shared.Return(joined);
        consumed = buffer.GetPosition(used);
        examined = outcome == BatchOutcome.NeedMore ? buffer.End : consumed;
        return outcome;
    }

    private BatchOutcome Process(ReadOnlySpan<byte> buffer, out int consumed)
    {
        ThreadScratch thread = client.Executor.Threads.Current;
        client.Traffic.LastInteractionMs = parts.Clock.NowMs;
        _requests.Begin(thread);
        consumed = 0;
        // A command that reports the bytes received counts itself.
        client.Traffic.InputBytes += buffer.Length;
        if (client.Subscriber is not null || client.Output.Messages is not null)
            _messages.WriteOwn();
        RespWriter reply = new(_output, client.ProtocolVersion) { ErrorObserver = thread.Counters.Errors };
        // Should a command throw after it has begun its reply, this connection ends, and the others continue.
        using Batch batch = client.Executor.Enter(client, thread, reply);
        BatchOutcome outcome = RunBatches(ref batch.Self, buffer, ref consumed);
        batch.Complete();
        _requests.End(thread);

        long written = batch.Flush();
        client.Traffic.InputBytes -= buffer.Length - consumed;
        client.Traffic.OutputBytes += written;
        thread.Counters.InputBytes += consumed;
        thread.Counters.Reads++;
        thread.Counters.Writes += written > 0 ? 1 : 0;
        thread.Counters.OutputBytes += written;
        client.Input.Bytes = buffer.Length - consumed + _requests.HeldBytes;
        return outcome;
    }

    private BatchOutcome RunBatches(ref Batch batch, ReadOnlySpan<byte> buffer, ref int consumed)
    {
        while (true)
        {
            BatchOutcome outcome = RunBatch(ref batch, buffer, ref consumed, out bool full);
            batch.Context.Scratch.Timer.EndRun();
            if (outcome != BatchOutcome.NeedMore || !full)
                return outcome;
            if (batch.Context.Reply.BytesWritten > FlushThreshold)
                return BatchOutcome.FlushAndContinue;
        }
    }

    /// <summary>Parses up to a batch of requests, prefetches their keys, and executes them.</summary>
    private BatchOutcome RunBatch(ref Batch batch, ReadOnlySpan<byte> buffer, ref int consumed, out bool full)
    {
        ThreadScratch thread = batch.Context.Scratch;
        int limit = client.Login.IsRequired ? 1 : sessions.Configuration.Current.PrefetchBatchMaxSize;
        limit = Math.Clamp(limit, 1, ThreadScratch.MaxBatch);
        ParseStatus status = _requests.Prepare(thread, buffer, consumed, limit, out int count, out int unfinished);
        full = status == ParseStatus.Complete;
        if (count > 0)
            batch.Begin(count);
        for (int i = 0; i < count; i++)
        {
            batch.Context.RequestBytes = thread.Prepared[i].End - consumed + (i == 0 ? _requests.HeldRequestBytes : 0);
            BatchOutcome outcome = Execute(ref batch, buffer, thread.Prepared[i]);
            if (outcome != BatchOutcome.Paused)
                consumed = thread.Prepared[i].End;
            if (outcome == BatchOutcome.NeedMore)
                continue;
            if (outcome == BatchOutcome.Paused && client.Executor.Gates.ColdValues.Source is { } values)
                values.ReadAhead(client, thread.Prepared.AsSpan(i + 1, count - i - 1));
            _requests.StopAfter(mayResume: outcome == BatchOutcome.Paused && i == 0);
            return outcome;
        }

        consumed = unfinished;
        if (count > 0)
            _requests.ReleaseHeld();
        if (status != ParseStatus.Error)
            return full ? BatchOutcome.NeedMore : _requests.HoldUnfinished(status, buffer, ref consumed);
        SuppressReply(ref batch.Context, _requests.TakeSkipped());
        batch.Context.Reply.WriteError(_requests.ErrorText);
        parts.Log.LogInformation("Client {Id} at {Address} closed: {Error}", client.Id, client.Connection.RemoteAddress, _requests.Error);
        return BatchOutcome.Close;
    }

    private BatchOutcome Execute(ref Batch batch, ReadOnlySpan<byte> buffer, in PreparedCommand prepared)
    {
        ref CommandContext context = ref batch.Context;
        context.Load(buffer, _requests.Arguments, prepared.FirstArgument, prepared.ArgumentCount);
        if (prepared.HasHash && prepared.Database == client.Store.Database)
            context.SetFirstKeyHash(prepared.Hash);
        if (client.Modes.Reply != ReplyMode.On)
            SuppressReply(ref context, prepared.FollowsEmpty);
        Admission admission = prepared.Command is { } command ? batch.Execute(command) : ExecuteUnprepared(ref batch);
        if (admission == Admission.Wait)
        {
            client.Wait.IsBlocked = client.Wait.IsPaused;
            return BatchOutcome.Paused;
        }

        _isPendingSilent = context.Reply.Suppressed;
        if (client.Modes.Reply != ReplyMode.On || context.Reply.Suppressed)
            AdvanceReplyMode(ref context);
        if (context.Scratch.Batches.TakeReachesSelf())
            WriteMessagesToSelf(ref context);
        if (context.Pending is not null)
        {
            _pending = context.Pending;
            return BatchOutcome.Pending;
        }

        return client.End.AfterReply || client.End.IsForced ? BatchOutcome.Close : BatchOutcome.NeedMore;
    }

    // A command that was not found when its request was parsed, or any while modules filter them.
    private Admission ExecuteUnprepared(ref Batch batch)
    {
        Command? command = client.Executor.Commands.Find(batch.Context[0]);
        if (command is null && RequestParser.IsCrossProtocol(batch.Context[0]))
        {
            parts.Log.LogWarning("Possible attack: {Address} sent an HTTP request; connection closed", client.Connection.RemoteAddress);
            client.End.Force();
            return Admission.Reject;
        }

        return sessions.Filters.AreOn
            ? sessions.Filters.Execute(ref batch, command, _filtered ??= new FilteredRequest())
            : batch.Execute(command);
    }

    /// <summary>
    /// Writes the messages that have reached the client, before a batch or between two of its replies, even if replies are off: what was
    /// published before a request arrived comes before its reply, what the client has published to itself follows the reply of the command
    /// that did it, and what precedes the end of a subscription comes before the reply about that.
    /// </summary>
    internal override void WriteOwnMessages(ref CommandContext context)
    {
        context.Reply.Flush();
        _messages.WriteOwn();
    }

    private void WriteMessagesToSelf(ref CommandContext context)
    {
        Invalidations.OfThread.Of(context.Scratch).Send();
        if (context.Pending is not { PrecedesMessages: true })
            WriteOwnMessages(ref context);
    }

    // Applies to the next command, or the error in its place, however the bytes were split. An empty request also counts as the one skipped
    // by CLIENT REPLY SKIP.
    private void SuppressReply(ref CommandContext context, bool followsEmpty)
    {
        if (followsEmpty && client.Modes.Reply == ReplyMode.Skip)
            client.Modes.Reply = ReplyMode.On;
        context.Reply.Suppressed = client.Modes.Reply is ReplyMode.Off or ReplyMode.Skip;
    }

    private void AdvanceReplyMode(ref CommandContext context)
    {
        client.Modes.Reply = client.Modes.Reply switch
        {
            ReplyMode.SkipNext => ReplyMode.Skip,
            ReplyMode.Skip => ReplyMode.On,
            ReplyMode mode => mode,
        };
        context.Reply.Suppressed = client.Modes.Reply == ReplyMode.Off;
    }

    private async ValueTask FinishPendingAsync()
    {
        PendingReply reply = _pending!;
        client.Wait.Reply = reply;
        Task wait = reply.WaitAsync(reply.EndsWithPeer ? Disconnected : client.Connection.Closed);
        client.Executor.Waits.OnWaiting(reply);
        client.Wait.IsBlocked = !wait.IsCompleted;
        _isIdle = true;
        await (reply.EndsWithPeer ? _watch.WhileAsync(wait, heldBytes: 0) : WaitOnOwnerAsync(wait)).ConfigureAwait(false);
        _isIdle = false;
        client.Wait.IsBlocked = false;
        client.Wait.Reply = null;
        // It stays pending, which ends the session.
        if (reply.IsAbandoned)
            return;
        bool waits = true;
        while (true)
        {
            WritePending(reply);
            if (!reply.HasMore)
            {
                _pending = null;
                client.End.AfterReply |= reply.EndsConnection;
                if (client.Output.Messages is { } messages)
                    _messages.Write(messages);
            }

            if (ReplyHold.IsDue(client, sessions.AppendOnly, out AppendOnlyLog? log))
                await (_gate ??= new ReplyGate(client)).Until(log);
            FlushResult flushed = await _output.FlushAsync().ConfigureAwait(false);
            if (_pending is null)
                await WriteMessagesAsync().ConfigureAwait(false);
            if (_pending is null || flushed.IsCompleted || MustEnd(client, parts.Clock.NowMs))
                return;
            if (waits)
                waits = await DrainAsync().ConfigureAwait(false);
        }
    }

    // Between two pieces of a reply: other connections get their turn, and the network accepts the first piece. False when it does not for
    // a while: the peer may be sending a long pipeline before it reads anything, and the rest of the reply must not wait for it.
    private async ValueTask<bool> DrainAsync()
    {
        _draining ??= client.Output.DrainAsync();
        await _draining.WaitAsync(PeerPatience, parts.Clock.Time).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        bool isDrained = _draining.IsCompleted;
        if (isDrained)
            _draining = null;
        await new OwnerThread(client.Connection, isLater: true);
        return isDrained;
    }

    private void WritePending(PendingReply reply)
    {
        RespWriter writer = new(_output, client.ProtocolVersion)
        {
            ErrorObserver = client.Executor.Threads.Current.Counters.Errors,
            Suppressed = _isPendingSilent,
        };
        long start = reply.Time is null ? 0 : Stopwatch.GetTimestamp();
        Executor.WriteLater(client, reply, ref writer);
        if (reply.Time is { } time)
            RecordPiece(reply, time, Stopwatch.GetTimestamp() - start);

        writer.Flush();
        sessions.Logs.CountPiece(reply, writer.BytesWritten);
        client.Traffic.OutputBytes += writer.BytesWritten;
        ThreadScratch thread = client.Executor.Threads.Current;
        thread.Counters.OutputBytes += writer.BytesWritten;
        thread.Counters.Writes++;
    }

    private void RecordPiece(PendingReply reply, PieceTime time, long ticks)
    {
        CommandTimer timer = client.Executor.Threads.Current.Timer;
        time.Ticks += ticks;
        timer.AddTime(time.Command, ticks);
        if (reply.HasMore)
            return;
        timer.AddCall(time.Command, time.Ticks, sessions.Logs.Limits.TracksLatency);
        sessions.Logs.RecordSlow(time, parts.Clock.NowMs);
    }

    private async ValueTask WaitOnOwnerAsync(Task wait)
    {
        await wait.ConfigureAwait(false);
        await new OwnerThread(client.Connection);
    }

    private async ValueTask CompleteAsync()
    {
        _requests.Close();
        _watch.Dispose();
        await _input.CompleteAsync().ConfigureAwait(false);
        await _output.CompleteAsync(_failure).ConfigureAwait(false);
    }
}
