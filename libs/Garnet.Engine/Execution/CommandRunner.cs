// Runs commands that were let in and accounts for them. One for each server; used by any thread inside a batch.
using System.Text;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Store;
using Garnet.Store.Tiering;
using Microsoft.Extensions.Logging;

namespace Garnet.Engine.Execution;

/// <summary>Executes single commands that <see cref="Executor"/> has let in.</summary>
/// <param name="observers">Who watches.</param>
/// <param name="recorder">The logs of slow and large commands.</param>
/// <param name="log">For commands that throw.</param>
internal sealed class CommandRunner(CommandObservers observers, CommandRecorder recorder, ILogger log)
{
    /// <summary>
    /// Runs a command that was let in. The reply is complete afterwards, unless the context has a pending reply or the answer is to wait.
    /// </summary>
    public Admission Run(ref CommandContext context)
    {
        StoreSession store = context.Client.Store;
        long written = context.Reply.BytesWritten;
        long changes = store.Changes.Count;
        ObserverMask told;
        try
        {
            told = Call(ref context);
        }
        catch (KeyspaceBusyException)
        {
            RefuseAsBusy(ref context);
            return Admission.Reject;
        }
        catch (Exception e)
        {
            EffectSink lost = context.Client.Propagation.Sink;
            if ((store.Changes.Count != changes || context.EffectsGiven) && lost.IsOpen)
                lost.EffectLost();
            if (context.Reply.BytesWritten != written || context.Pending is not null || context.Origin.IsReplay)
                throw;
            Fail(ref context, e);
            return Admission.Run;
        }

        if (context.HasNotBegun)
            return EndWithoutRunning(ref context);
        EffectSink sink = context.Client.Propagation.Sink;
        if (sink.FollowsCommands)
            sink.CommandEnded(context.Client);
        store.EndCommand();
        // Those who have come meanwhile may wait for what the command has brought.
        told |= observers.Present;
        if (told != 0)
            observers.Released(ref context, told);
        return Admission.Run;
    }

    // A script has become slow while the command waited for its turn to run alone.
    private static void RefuseAsBusy(ref CommandContext context)
    {
        context.Scratch.Events.Discard();
        Refused.Reply(ref context, context.Command, new Refusal(RefusalKind.Busy));
        context.Store.EndCommand();
    }

    // As nothing of its reply was written, the client can be told, and its connection goes on.
    private void Fail(ref CommandContext context, Exception e)
    {
        ClientSession client = context.Client;
        // The value of a key that it does not declare is on disk, and could not be read at once.
        var cold = e as ColdValueException;
        if (cold is null)
            log.LogError(e, "Client {Id}: the command {Command} failed", client.Id, context.Command.FullName);
        // Latches, barrier and detached values.
        new StoreAbsence(client.Store).Dispose();
        context.Scratch.ReleaseScratch();
        client.Propagation.Discard();
        // What EXEC watched it has watched, even if it failed.
        bool isExec = context.Command.IsExec || client.Transactions.Executed is not null;
        client.Transactions.Abandon();
        if (isExec)
            client.Transactions.Reset();
        context.Scratch.Counters.Failed[context.Command.Id]++;
        context.Reply.WriteError(
            cold is null
                ? "ERR the command failed for a reason that the server did not foresee; see its log"u8
                : Encoding.UTF8.GetBytes("IOERR the command needs a value on disk: " + cold.Message)
        );
    }

    // Something has changed before the command began to run alone. It has done nothing; its refusal is written, or it is asked again.
    private Admission EndWithoutRunning(ref CommandContext context)
    {
        context.HasNotBegun = false;
        context.Scratch.Events.Discard();
        context.Store.EndCommand();
        if (context.RetryAfter is not { } wait)
            return Admission.Reject;
        PutOff(ref context, wait);
        return Admission.Wait;
    }

    private void PutOff(ref CommandContext context, Task wait)
    {
        context.RetryAfter = null;
        context.Client.Wait.Before = wait;
        context.Client.Wait.IsShown = false;
        if (observers.Present is not 0 and var told)
            observers.PutOff(ref context, told);
    }

    /// <summary>
    /// Executes the command and passes its effects to the sink while its keys are latched; also used for each command of an EXEC.
    /// Returns who was told of it.
    /// </summary>
    public ObserverMask Call(ref CommandContext context)
    {
        ClientSession client = context.Client;
        Command command = context.Command;
        ThreadScratch thread = context.Scratch;
        long errors = context.Reply.ErrorCount;
        long changes = client.Store.Changes.Count;
        long written = context.Reply.BytesWritten;
        ObserverMask told = observers.Present;
        if (told != 0)
            observers.Before(ref context, told);
        long start = thread.Timer.Before(command);
        command.Handler!(ref context);
        if (context.HasNotBegun)
            return told;
        if (client.Store.Changes.Count != changes)
            RecordChanges(ref context, command, client.Store.Changes.Count - changes);
        else if (context.EffectsGiven && !client.Transactions.IsExecuting)
            client.Propagation.Commit(client, client.Store.Database);
        PieceTime? pieces = context.Pending is { HasMore: true } ? new PieceTime(command, recorder.KeepSlow(ref context)) : null;
        long slowTicks = pieces is null ? RecordTime(ref context, command, start) : 0;
        if (told != 0)
            observers.After(ref context, told);
        // Counted when it is served or ends.
        if (context.Pending is BlockedCommand)
            return told;

        thread.Counters.Calls[command.Id]++;
        thread.Counters.CommandsProcessed++;
        client.Traffic.Commands++;
        if (context.Reply.ErrorCount != errors && !(command.IsExec && thread.Batches.RanTransaction))
            thread.Counters.Failed[command.Id]++;
        if (slowTicks != 0)
            recorder.RecordSlow(ref context, slowTicks);
        written = context.Reply.BytesWritten - written + context.EarlierReplyBytes;
        if (context.Pending is { } later)
        {
            later.Logged = recorder.KeepLarge(ref context);
            later.Time = pieces;
            if (pieces is not null)
                pieces.Ticks = thread.Timer.AfterPiece(command, start);
        }
        else if (context.RequestBytes >= thread.Limits.RequestBytes || written >= thread.Limits.ReplyBytes)
        {
            recorder.RecordLarge(LoggedCommand.Of(ref context), written);
        }

        return told;
    }

    // The time of the call when it was slow, else 0.
    private static long RecordTime(ref CommandContext context, Command command, long start)
    {
        CommandTimer timer = context.Scratch.Timer;
        if ((context.Resumed ?? context.Pending as BlockedCommand) is not { } blocked)
            return timer.After(command, start);
        blocked.TriedTicks = timer.AfterAttempt(command, start, blocked.TriedTicks, isLast: context.Pending is null);
        return timer.IsSlow(blocked.TriedTicks) ? Math.Max(blocked.TriedTicks, 1) : 0;
    }

    /// <summary>
    /// Executes a later step of a command that waits, which <see cref="Call"/> has counted already: passes its effects on, releases its
    /// keys and publishes its events.
    /// </summary>
    public void Continue(ref CommandContext context, CommandHandler step)
    {
        ClientSession client = context.Client;
        long changes = client.Store.Changes.Count;
        ObserverMask told = observers.Present & ObserverMask.Notifications;
        if (told != 0)
            observers.Before(ref context, told);
        step(ref context);
        if (told != 0)
            observers.After(ref context, told);
        if (client.Store.Changes.Count != changes)
            RecordChanges(ref context, context.Command, client.Store.Changes.Count - changes);
        client.Store.EndCommand();
        if (told != 0)
            observers.Released(ref context, told);
    }

    private static void RecordChanges(ref CommandContext context, Command command, long made)
    {
        // The store counts its own steps; the counts of a transaction's commands have been corrected already.
        if (made != context.Changes && !command.IsExec && !command.Has(CommandTraits.RunsScript))
            context.Store.Slot.Changes += context.Changes - made;
        EffectSink sink = context.Client.Propagation.Sink;
        if (sink.IsOpen)
            Propagate(ref context, sink);
        else
            sink.Changed(ref context);
    }

    private static void Propagate(ref CommandContext context, EffectSink sink)
    {
        ClientSession client = context.Client;
        bool isAlone = !client.Transactions.IsExecuting;
        if (!context.EffectsGiven)
        {
            if (isAlone && client.Propagation.Bytes == 0 && context.TryGetEncoded(out ReadOnlySpan<byte> request))
            {
                sink.Commit(client, client.Store.Database, request);
                return;
            }

            context.KeepEffect();
        }

        if (isAlone)
            client.Propagation.Commit(client, client.Store.Database);
    }
}
