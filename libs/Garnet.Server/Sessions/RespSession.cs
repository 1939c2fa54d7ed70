// The read-execute-reply loop of one connection. Runs on the thread that owns the connection; holds no thread while it waits.
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using System.Runtime.InteropServices;
using Garnet.Persistence.AppendLog;
using Garnet.Protocol;
using Garnet.Server.Commands;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence;
using Garnet.Store;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Sessions;

/// <summary>Turns the bytes of one connection into commands and their replies.</summary>
internal sealed class RespSession(ClientSession client, IDuplexPipe pipe)
{
    /// <summary>Reply bytes after which a batch is flushed before it goes on, so that one pipeline of large reads does not gather all its replies first.</summary>
    private const int FlushThreshold = 1 << 20;

    /// <summary>Rounds of maintenance that a command waits for memory at most: about a second.</summary>
    private const int MostMemoryWaits = 1000;

    /// <summary>Unfinished arguments from this size on are waited for instead of being looked at again whenever some bytes arrive.</summary>
    private const int LargeArgumentBytes = 16 * 1024;

    /// <summary>What a request still has behind its last large argument, as a rule: a line end and some options.</summary>
    private const int LargeRequestTailBytes = 256;

    /// <summary>How long a reply in pieces waits for a peer that takes nothing.</summary>
    private static readonly TimeSpan PeerPatience = TimeSpan.FromSeconds(1);

    private readonly PipeReader input = pipe.Input;
    private readonly PipeWriter output = pipe.Output;
    private readonly RequestParser parser = new() { PendingBulkThreshold = LargeArgumentBytes };
    private ArgumentTable? arguments; // kept between batches only while a request is unfinished
    private int requiredLength; // least number of unconsumed bytes that can complete the unfinished request
    private LargeArguments? large; // while a request with large arguments is under way
    private ValueBlock receiving; // the block to be filled next
    private int received; // bytes of it that are there
    private PendingReply? pending;
    private Task? draining; // for the network to take a piece of a reply
    private bool isPendingSilent; // CLIENT REPLY held when the command began to wait
    private Task? pause;
    private bool hasCopiedBlock;
    private int memoryWaits; // rounds that the next command has waited for memory
    private Exception? failure;
    private ReplyHold? hold; // made when replies first have to wait for the append-only log
    private long settledChanges; // the client's changes that are durable, or were made while nobody waits for that

    private RespServer Server => client.Server;

    /// <summary>Lets the client in, or tells it why not and ends the connection.</summary>
    public async ValueTask<bool> TryAdmitAsync()
    {
        GarnetOptions options = Server.Configuration.Current;
        if (!Server.Clients.TryAdd(client, options.MaxClients))
        {
            Server.Statistics.CountRejectedConnection();
            output.Write("-ERR max number of clients reached\r\n"u8);
        }
        else if (options.ProtectedMode && options.RequirePass.Length == 0 && !client.Connection.IsLocal)
        {
            Server.Clients.Remove(client);
            Server.Statistics.CountRejectedConnection();
            output.Write(ProtectedModeText.Reply);
        }
        else
        {
            Server.Statistics.CountConnection();
            return true;
        }

        await output.FlushAsync().ConfigureAwait(false);
        await CompleteAsync().ConfigureAwait(false);
        client.Dispose();
        return false;
    }

    /// <summary>Serves until the client leaves, breaks the protocol or is told to go. Replies not yet sent are sent by the transport after the pipe is completed.</summary>
    public async Task RunAsync()
    {
        try
        {
            // One method, so that a round trip allocates no further state machine.
            while (true)
            {
                ReadResult read = await input.ReadAsync().ConfigureAwait(false);
                // Who killed this client has been told so: what comes from it later is not executed, even when it is here before the end.
                if (client.IsClosing)
                    return;
                BatchOutcome outcome = Process(read.Buffer, out SequencePosition consumed, out SequencePosition examined);
                input.AdvanceTo(consumed, examined);
                if (MustHoldReplies(out AppendLog? log))
                    await (hold ??= new ReplyHold(client)).Until(log);
                if (client.Messages is { } messages)
                    WriteMessages(messages);
                await output.FlushAsync().ConfigureAwait(false);
                if ((read.IsCanceled && client.IsEnding) || MustEnd())
                    return;
                if (outcome == BatchOutcome.NeedMore ? read.IsCompleted : !await ContinueAsync(outcome).ConfigureAwait(false))
                    return;
            }
        }
        catch (Exception e) when (e is ConnectionResetException or ConnectionAbortedException or OperationCanceledException or IOException)
        {
            // The peer is gone, and there is nobody to tell; or the disk failed, and what was written for the peer must not reach it.
            failure = e;
        }
        finally
        {
            if (pending is not null)
                await pending.AbandonAsync().ConfigureAwait(false);
            await CompleteAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Has the session look for messages, or that it is to end, when it next waits for requests. Any thread.</summary>
    public void Wake() => input.CancelPendingRead();

    private void WriteMessages(MessageQueue messages)
    {
        messages.BeginTaking();
        while (messages.TryTake(out byte[] message))
        {
            output.Write(message);
            client.TotalOutputBytes += message.Length;
            Server.CurrentWorker.OutputBytes += message.Length;
        }
    }

    // The rarer ends of a batch; false when the session ends.
    private async ValueTask<bool> ContinueAsync(BatchOutcome outcome)
    {
        switch (outcome)
        {
            case BatchOutcome.Close:
                return false;
            case BatchOutcome.ReceiveInPlace:
                return await ReceiveInPlaceAsync().ConfigureAwait(false);
            case BatchOutcome.Pending:
                await FinishPendingAsync().ConfigureAwait(false);
                return pending is null && !client.CloseAfterReply;
            case BatchOutcome.Paused:
                client.IsHeldBack = true;
                await WaitOnOwnerAsync(pause!).ConfigureAwait(false);
                client.IsHeldBack = false;
                client.IsBlocked = false;
                // A client that went away while CLIENT PAUSE held it back is not waited for: its wait would end at once, again and again.
                return !Server.Pause.MayBeActive || !client.Connection.Closed.IsCancellationRequested;
            default:
                return true;
        }
    }

    private bool MustEnd()
    {
        if (client.IsClosing)
            return true;
        GarnetOptions options = Server.Configuration.Current;
        if (client.QueryBufferBytes + (client.Transaction?.MemoryBytes ?? 0) > options.ClientQueryBufferLimitBytes)
        {
            Server.Statistics.CountQueryBufferDisconnection();
            Server.Log.LogWarning("Client {Id} at {Address} closed: its unfinished request passed client-query-buffer-limit", client.Id, client.Connection.RemoteAddress);
            return true;
        }

        if (options.MaxMemoryClientsBytes != 0)
            Server.ClientEviction.RunIfNotable(client, options);
        return client.EndIfSlow(options.ClientOutputBufferLimits.Normal, Server.NowMs);
    }

    private BatchOutcome Process(in ReadOnlySequence<byte> buffer, out SequencePosition consumed, out SequencePosition examined)
    {
        if (buffer.IsEmpty)
        {
            // The peer has ended, or somebody else woke the session.
            (consumed, examined) = (buffer.Start, buffer.End);
            return BatchOutcome.NeedMore;
        }

        ReadOnlySequence<byte> rest = buffer;
        if (large is not null)
        {
            BatchOutcome finished = FinishLarge(buffer, out consumed, out examined);
            rest = buffer.Slice(consumed);
            if (finished != BatchOutcome.NeedMore || large is not null || rest.IsEmpty)
                return finished;
        }

        if (rest.IsSingleSegment)
        {
            BatchOutcome outcome = Process(rest.FirstSpan, isPart: false, out int used);
            consumed = rest.GetPosition(used);
            examined = outcome == BatchOutcome.NeedMore ? rest.End : consumed;
            return outcome;
        }

        return ProcessSegments(rest, out consumed, out examined);
    }

    // Chained segments. A request known to be incomplete is not copied again until enough has arrived.
    private BatchOutcome ProcessSegments(in ReadOnlySequence<byte> buffer, out SequencePosition consumed, out SequencePosition examined)
    {
        int length = checked((int)buffer.Length);
        if (length < requiredLength)
        {
            client.QueryBufferBytes = length;
            (consumed, examined) = (buffer.Start, buffer.End);
            return BatchOutcome.NeedMore;
        }

        byte[] joined = ArrayPool<byte>.Shared.Rent(length);
        buffer.CopyTo(joined);
        BatchOutcome outcome = Process(joined.AsSpan(0, length), isPart: false, out int used);
        ArrayPool<byte>.Shared.Return(joined);
        consumed = buffer.GetPosition(used);
        examined = outcome == BatchOutcome.NeedMore ? buffer.End : consumed;
        return outcome;
    }

    // What follows a large argument that was received in place. The rest of its request is short as a rule: a little is joined to what is kept of the request, so that what a pipeline brings
    // behind it is read where it lies. When the little does not complete the request, more is joined.
    private BatchOutcome FinishLarge(in ReadOnlySequence<byte> buffer, out SequencePosition consumed, out SequencePosition examined)
    {
        int kept = large!.Prefix.Length;
        int length = checked((int)buffer.Length + kept);
        if (length < requiredLength)
        {
            client.QueryBufferBytes = length;
            (consumed, examined) = (buffer.Start, buffer.End);
            return BatchOutcome.NeedMore;
        }

        int taken = Math.Min(length, kept + LargeRequestTailBytes);
        BatchOutcome outcome;
        int used;
        while (true)
        {
            byte[] joined = ArrayPool<byte>.Shared.Rent(taken);
            large.Prefix.CopyTo(joined);
            buffer.Slice(0, taken - kept).CopyTo(joined.AsSpan(kept));
            outcome = Process(joined.AsSpan(0, taken), isPart: taken < length, out used);
            ArrayPool<byte>.Shared.Return(joined);
            if (outcome != BatchOutcome.NeedMore || large is null || taken == length)
                break;
            taken = (int)Math.Min(length, Math.Max(taken * 4L, requiredLength));
        }

        // Before the request with large arguments is complete nothing is consumed; what is kept of it is not part of the pipe's buffer.
        consumed = buffer.GetPosition(Math.Max(0, used - kept));
        examined = outcome == BatchOutcome.NeedMore && taken == length ? buffer.End : consumed;
        return outcome;
    }

    // A part is the beginning of more that is there: its first request alone is executed.
    private BatchOutcome Process(ReadOnlySpan<byte> buffer, bool isPart, out int consumed)
    {
        Worker worker = Server.CurrentWorker;
        CommandContext context = new(client, worker, new RespWriter(output, client.ProtocolVersion) { ErrorObserver = worker.Errors });
        client.LastInteractionMs = Server.NowMs;
        arguments ??= worker.RentArguments();
        consumed = 0;
        BatchOutcome outcome;
        // A command that tells what was received has itself been received.
        client.TotalInputBytes += buffer.Length;
        client.Store.EnterBatch();
        try
        {
            outcome = RunBatches(ref context, buffer, isPart, ref consumed);
        }
        finally
        {
            // After a command that threw, its latches and the epoch must not stay held: this connection ends, the others go on.
            client.Store.LeaveBatch();
        }

        if (!parser.IsMidRequest)
        {
            worker.ReturnArguments(arguments);
            arguments = null;
        }

        context.Reply.Flush();
        long written = context.Reply.BytesWritten;
        client.TotalInputBytes -= buffer.Length - consumed;
        client.TotalOutputBytes += written;
        worker.InputBytes += consumed;
        worker.Reads++;
        worker.Writes += written > 0 ? 1 : 0;
        worker.OutputBytes += written;
        client.QueryBufferBytes = buffer.Length - consumed;
        return outcome;
    }

    private BatchOutcome RunBatches(ref CommandContext context, ReadOnlySpan<byte> buffer, bool isPart, ref int consumed)
    {
        while (true)
        {
            BatchOutcome outcome = RunBatch(ref context, buffer, isPart, ref consumed, out bool full);
            context.Worker.Timer.EndRun();
            if (outcome != BatchOutcome.NeedMore || !full || isPart)
                return outcome;
            if (context.Reply.BytesWritten > FlushThreshold)
                return BatchOutcome.FlushAndContinue;
        }
    }

    /// <summary>Parses up to a batch of requests, prefetches their keys, and executes them.</summary>
    private BatchOutcome RunBatch(ref CommandContext context, ReadOnlySpan<byte> buffer, bool isPart, ref int consumed, out bool full)
    {
        Worker worker = context.Worker;
        int limit = client.MustAuthenticate || isPart ? 1 : Server.Configuration.Current.PrefetchBatchMaxSize;
        limit = Math.Clamp(limit, 1, Worker.MaxBatch);
        ParseStatus status = Prepare(worker, buffer, consumed, limit, out int count, out int unfinished);
        full = status == ParseStatus.Complete;
        if (count > 0)
            worker.BeginBatch(count, Server);
        for (int i = 0; i < count; i++)
        {
            context.RequestBytes = worker.Prepared[i].End - consumed + (large?.Bytes ?? 0);
            BatchOutcome outcome = Execute(ref context, buffer, worker.Prepared[i]);
            if (outcome != BatchOutcome.Paused)
                consumed = worker.Prepared[i].End;
            if (outcome == BatchOutcome.NeedMore)
                continue;
            parser.Reset();
            if (outcome == BatchOutcome.Paused && i == 0 && large is not null)
                KeepPausedRequest();
            else
                ReleaseLargeArguments();
            return outcome;
        }

        consumed = unfinished;
        if (count > 0)
            ReleaseLargeArguments();
        if (status == ParseStatus.PendingBulk && !isPart && TryReceiveInPlace(buffer, ref consumed))
            return BatchOutcome.ReceiveInPlace;
        if (status != ParseStatus.Error)
            return BatchOutcome.NeedMore;
        SuppressReply(ref context, parser.TakeSkipped());
        context.Reply.WriteError(parser.ErrorText);
        Server.Log.LogInformation("Client {Id} at {Address} closed: {Error}", client.Id, client.Connection.RemoteAddress, parser.Error.ToString());
        return BatchOutcome.Close;
    }

    private ParseStatus Prepare(Worker worker, ReadOnlySpan<byte> buffer, int position, int limit, out int count, out int unfinished)
    {
        ArgumentTable arguments = this.arguments!;
        arguments.Clear();
        parser.MaxBulkBytes = (int)Math.Min(Server.Configuration.Current.ProtoMaxBulkLengthBytes, int.MaxValue);
        parser.IsRestricted = client.MustAuthenticate;
        ParseStatus status = ParseStatus.Complete;
        count = 0;
        while (count < limit)
        {
            status = parser.Parse(buffer, ref position, arguments, out RequestRange request);
            if (status != ParseStatus.Complete)
                break;
            ref PreparedCommand prepared = ref worker.Prepared[count++];
            prepared.FirstArgument = request.FirstArgument;
            prepared.ArgumentCount = request.ArgumentCount;
            prepared.End = position;
            prepared.Command = Server.Commands.Find(arguments.Get(buffer, request.FirstArgument));
            prepared.HasHash = false;
            prepared.FollowsEmpty = parser.TakeSkipped();
        }

        unfinished = position;
        requiredLength = status == ParseStatus.PendingBulk ? parser.Pending.PayloadOffset + parser.Pending.Length + 2 - position : 0;
        if (count > 1)
            Prefetch(worker, buffer, count);
        return status;
    }

    // Two passes, so that the bucket lines of all keys are on their way before the first is needed, then all record lines.
    private void Prefetch(Worker worker, ReadOnlySpan<byte> buffer, int count)
    {
        Span<PreparedCommand> batch = worker.Prepared.AsSpan(0, count);
        foreach (ref PreparedCommand prepared in batch)
        {
            int key = prepared.Command?.SimpleFirstKey ?? 0;
            if (key == 0 || key >= prepared.ArgumentCount)
                continue;
            prepared.Hash = client.Store.Hash(arguments!.Get(buffer, prepared.FirstArgument + key));
            prepared.HasHash = true;
            prepared.Database = client.Store.Database;
            client.Store.PrefetchBucket(prepared.Hash);
        }

        foreach (ref PreparedCommand prepared in batch)
        {
            if (prepared.HasHash)
                client.Store.PrefetchRecord(prepared.Hash);
        }
    }

    private BatchOutcome Execute(ref CommandContext context, ReadOnlySpan<byte> buffer, in PreparedCommand prepared)
    {
        context.Load(buffer, arguments!, prepared.FirstArgument, prepared.ArgumentCount);
        if (prepared.HasHash && prepared.Database == client.Store.Database)
            context.SetFirstKeyHash(prepared.Hash);
        if (prepared.Command is null && RequestParser.IsCrossProtocol(context[0]))
        {
            Server.Log.LogWarning("Possible attack: {Address} sent an HTTP request; connection closed", client.Connection.RemoteAddress);
            client.Kill();
            return BatchOutcome.Close;
        }

        if (client.ReplyMode != ReplyMode.On)
            SuppressReply(ref context, prepared.FollowsEmpty);
        if (CommandDispatcher.Resolve(ref context, prepared.Command) is not null)
        {
            if (Server.Pause.MayBeActive && MustWait(context.Command))
                return BatchOutcome.Paused;
            if (Server.Store.IsSnapshotActive && MustWaitForSnapshot(context.Command))
                return BatchOutcome.Paused;
            if (Server.Store.IsOverLimit && MustWaitForMemory(ref context))
                return BatchOutcome.Paused;
            if (Server.AppendOnly.Log is { HasRoom: false } log && MustWaitForLog(context.Command, log))
                return BatchOutcome.Paused;
            if (context.Command.Descriptor.ChangesPart && MustCopyBlock(ref context))
                return BatchOutcome.Paused;
            CommandDispatcher.Run(ref context);
        }

        isPendingSilent = context.Reply.Suppressed;
        if (client.ReplyMode != ReplyMode.On || context.Reply.Suppressed)
            AdvanceReplyMode(ref context);
        if (context.Pending is not null)
        {
            pending = context.Pending;
            return BatchOutcome.Pending;
        }

        return client.CloseAfterReply || client.IsClosing ? BatchOutcome.Close : BatchOutcome.NeedMore;
    }

    // The unfinished request's large argument goes straight into the block it will be stored in. Everything received so far counts as consumed then.
    private bool TryReceiveInPlace(ReadOnlySpan<byte> buffer, ref int consumed)
    {
        long held = (large?.Bytes ?? 0) + parser.Pending.Length;
        if (!client.Connection.CanReceiveInPlace || held > Server.Configuration.Current.ClientQueryBufferLimitBytes)
            return false;
        PendingBulk pendingBulk = parser.Pending with { PayloadOffset = parser.Pending.PayloadOffset - consumed };
        large ??= Server.CurrentWorker.RentLarge();
        receiving = large.Take(Server.Store, buffer[consumed..], pendingBulk);
        received = pendingBulk.BytesPresent;
        parser.TakePendingBulk();
        arguments!.External = large;
        consumed = buffer.Length;
        requiredLength = 0;
        return true;
    }

    private async ValueTask<bool> ReceiveInPlaceAsync()
    {
        long wanted = receiving.Length - received;
        return wanted == 0 || await client.Connection.ReceiveAsync(receiving, received).ConfigureAwait(false) == wanted;
    }

    // It is parsed once more after the pause, so its payloads go back to where they were sent.
    private void KeepPausedRequest()
    {
        large!.Inline();
        arguments!.External = null;
    }

    private void ReleaseLargeArguments()
    {
        if (large is null)
            return;
        large.Release();
        Server.CurrentWorker.ReturnLarge(large);
        large = null;
        arguments!.External = null;
    }

    // Of the next command, or of the error in its place, however the bytes were cut. An empty request is what CLIENT REPLY SKIP skips, too.
    private void SuppressReply(ref CommandContext context, bool followsEmpty)
    {
        if (followsEmpty && client.ReplyMode == ReplyMode.Skip)
            client.ReplyMode = ReplyMode.On;
        context.Reply.Suppressed = client.ReplyMode is ReplyMode.Off or ReplyMode.Skip;
    }

    private void AdvanceReplyMode(ref CommandContext context)
    {
        client.ReplyMode = client.ReplyMode switch
        {
            ReplyMode.SkipNext => ReplyMode.Skip,
            ReplyMode.Skip => ReplyMode.On,
            ReplyMode mode => mode,
        };
        context.Reply.Suppressed = client.ReplyMode == ReplyMode.Off;
    }

    private bool MustWait(Command command)
    {
        pause = Server.Pause.WaitFor(client.FlagsOf(command), Server.Time.GetUtcNow().ToUnixTimeMilliseconds(), Server.Time, client.Connection.Closed);
        client.IsBlocked = pause is not null;
        return client.IsBlocked;
    }

    // The old images that a write hands to a snapshot need room, and under its latches it cannot wait for any. What MULTI queues writes nothing yet.
    private bool MustWaitForSnapshot(Command command)
    {
        bool queues = client.Transaction is not null && !command.IsTransactionControl;
        if (queues || (client.FlagsOf(command) & (CommandFlags.Write | CommandFlags.MayReplicate)) == 0 || !client.Store.MustWaitForSnapshot(0))
            return false;
        pause = client.Store.WaitForSnapshotAsync();
        return true;
    }

    // Many megabytes are copied elsewhere, once for each command; if they are shared again by then, the command copies them itself.
    private bool MustCopyBlock(ref CommandContext context)
    {
        bool isCopied = hasCopiedBlock;
        hasCopiedBlock = false;
        if (isCopied || client.Transaction is not null || !client.Store.MustCopyBlock(context[1], context.Hash(1)))
            return false;
        hasCopiedBlock = true;
        pause = CopyBlock(Server.Store, client.Store.Database, context[1].ToArray());
        return true;
    }

    private static Task CopyBlock(HybridLogStore store, int database, byte[] key) => Task.Run(() => store.CopySharedBlock(database, key));

    // Pages have to be freed before more are taken. When that takes too long something else is in the way, and the command is let on: it evicts, or is refused.
    private bool MustWaitForMemory(ref CommandContext context)
    {
        bool queues = client.Transaction is not null && !context.Command.IsTransactionControl;
        if (queues || (client.FlagsOf(context.Command) & CommandFlags.DenyOom) == 0 || memoryWaits >= MostMemoryWaits || !client.Store.MustWaitForMemory(context.ArgumentBytes))
        {
            memoryWaits = 0;
            return false;
        }

        memoryWaits++;
        pause = client.Store.WaitForMemoryAsync();
        return true;
    }

    // As for the snapshot: effects need room before the first latch.
    private bool MustWaitForLog(Command command, AppendLog log)
    {
        bool queues = client.Transaction is not null && !command.IsTransactionControl;
        if (queues || (client.FlagsOf(command) & (CommandFlags.Write | CommandFlags.MayReplicate)) == 0)
            return false;
        pause = log.RoomAsync();
        return true;
    }

    // Replies wait for everything that the log was handed so far: a reader may have seen any of it. After a failure of the disk nothing will become durable; then
    // those who have changed something are told nothing and ended, and the others go on.
    private bool MustHoldReplies([NotNullWhen(true)] out AppendLog? log)
    {
        log = Server.AppendOnly.ReplyGate;
        long changes = client.Store.ChangeCount;
        bool mustHold = log is not null && !log.IsDurable && (!log.IsFailed || changes != settledChanges);
        settledChanges = changes;
        return mustHold;
    }

    private async ValueTask FinishPendingAsync()
    {
        PendingReply reply = pending!;
        client.PendingReply = reply;
        Task wait = reply.WaitAsync(client.Connection.Closed);
        client.IsBlocked = !wait.IsCompleted;
        await WaitOnOwnerAsync(wait).ConfigureAwait(false);
        client.IsBlocked = false;
        client.PendingReply = null;
        bool waits = true;
        while (true)
        {
            WritePending(reply);
            if (!reply.HasMore)
                pending = null;
            if (MustHoldReplies(out AppendLog? log))
                await (hold ??= new ReplyHold(client)).Until(log);
            FlushResult flushed = await output.FlushAsync().ConfigureAwait(false);
            if (pending is null || flushed.IsCompleted || MustEnd())
                return;
            if (waits)
                waits = await DrainAsync().ConfigureAwait(false);
        }
    }

    // Between two pieces of a reply: others have their turn, and the network takes the first. False when it does not for a while: the peer may be sending a long pipeline
    // before it reads anything, and the rest must not wait for it.
    private async ValueTask<bool> DrainAsync()
    {
        draining ??= client.Connection.DrainAsync().AsTask();
        await draining.WaitAsync(PeerPatience, Server.Time).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        bool isDrained = draining.IsCompleted;
        if (isDrained)
            draining = null;
        await new OwnerThread(client.Connection, isLater: true);
        return isDrained;
    }

    private void WritePending(PendingReply reply)
    {
        RespWriter writer = new(output, client.ProtocolVersion) { ErrorObserver = Server.CurrentWorker.Errors, Suppressed = isPendingSilent };
        client.Store.EnterBatch();
        try
        {
            reply.WriteReply(ref writer);
        }
        finally
        {
            client.Store.LeaveBatch();
        }

        writer.Flush();
        Server.CommandLogs.NoteLater(reply, writer.BytesWritten);
        client.TotalOutputBytes += writer.BytesWritten;
        Worker worker = Server.CurrentWorker;
        worker.OutputBytes += writer.BytesWritten;
        worker.Writes++;
    }

    private async ValueTask WaitOnOwnerAsync(Task wait)
    {
        await wait.ConfigureAwait(false);
        await new OwnerThread(client.Connection);
    }

    private async ValueTask CompleteAsync()
    {
        large?.Release();
        large = null;
        await input.CompleteAsync().ConfigureAwait(false);
        await output.CompleteAsync(failure).ConfigureAwait(false);
    }
}
