// Runs commands that were let in and accounts for them; the one place where effects reach the write sink. Runs on the client's thread.
using Garnet.Server.Blocking;
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;
using Garnet.Server.Statistics;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Execution;

/// <summary>Executes single commands that <see cref="Executor"/> has let in.</summary>
internal static class CommandDispatcher
{
    /// <summary>
    /// Runs a command that was let in. The reply is complete afterwards, unless the context has a pending reply or the answer is to wait.
    /// </summary>
    public static Admission Run(ref CommandContext context)
    {
        StoreSession store = context.Client.Store;
        long written = context.Reply.BytesWritten;
        bool notifies;
        try
        {
            notifies = Call(ref context);
        }
        catch (KeyspaceBusyException)
        {
            RefuseAsBusy(ref context);
            return Admission.Reject;
        }
        catch (Exception e) when (context.Reply.BytesWritten == written && context.Pending is null && !context.Origin.IsReplay)
        {
            Fail(ref context, e);
            return Admission.Run;
        }

        if (context.RetryAfter is not null)
            return PutOff(ref context);
        context.Client.Propagation.Applier?.NoteApplied(context.Client);
        store.EndCommand();
        if (notifies)
            context.PublishEvents();
        BlockedClients waiting = context.Server.Blocked;
        if (waiting.HasReady && !store.Barrier.IsGuest)
            waiting.ServeReady(store);
        return Admission.Run;
    }

    // A script has become slow while the command waited for its turn to run alone.
    private static void RefuseAsBusy(ref CommandContext context)
    {
        context.Batch.Events.Discard();
        Refused.Reply(ref context, context.Command, new Refusal(RefusalKind.Busy));
        context.Store.EndCommand();
    }

    // As nothing of its reply was written, the client can be told, and its connection goes on.
    private static void Fail(ref CommandContext context, Exception e)
    {
        ClientSession client = context.Client;
        client.Server.Log.LogError(e, "Client {Id}: the command {Command} failed", client.Id, context.Command.FullName);
        // Latches, barrier and detached values.
        new StoreAbsence(client.Store).Dispose();
        context.Batch.ReleaseScratch();
        client.Propagation.Discard();
        // What EXEC watched it has watched, even if it failed.
        bool isExec = context.Command.IsExec || client.Transactions.Executed is not null;
        client.Transactions.Abandon();
        if (isExec)
            client.Transactions.Reset();
        context.Batch.Counters.Failed[context.Command.Id]++;
        context.Reply.WriteError("ERR the command failed for a reason that the server did not foresee; see its log"u8);
    }

    // Something has changed before the command began to run alone: it has done nothing, and is asked again.
    private static Admission PutOff(ref CommandContext context)
    {
        context.Client.Wait.Before = context.RetryAfter;
        context.Client.Wait.IsShown = context.Command.RunsDeclaredScript && context.Server.Monitors.IsWatched;
        context.Client.Tracking?.NotePutOff();
        context.RetryAfter = null;
        context.Batch.Events.Discard();
        context.Store.EndCommand();
        return Admission.Wait;
    }

    /// <summary>
    /// Executes the command and passes its effects to the sink while its keys are still latched; also used for each command of an EXEC.
    /// Returns whether it may have events, to be published when its keys are released.
    /// </summary>
    public static bool Call(ref CommandContext context)
    {
        ClientSession client = context.Client;
        Command command = context.Command;
        BatchContext batch = context.Batch;
        long errors = context.Reply.ErrorCount;
        long changes = client.Store.Changes.Count;
        long written = context.Reply.BytesWritten;
        if (client.Tracking is { } tracking)
            tracking.BeforeCommand(ref context);
        long start = batch.Timer.Before(command);
        bool notifies = client.Server.Notifications.IsOn && (!client.Origin.IsReplay || client.Propagation.Applier is not null);
        if (notifies)
            batch.Events.Open(command.Descriptor.Event);
        command.Descriptor.Handler!(ref context);
        if (notifies)
            batch.Events.Close();
        if (context.RetryAfter is not null)
            return false;
        if (client.Store.Changes.Count != changes)
            NoteChanges(ref context, command, client.Store.Changes.Count - changes);
        else if (context.EffectsGiven && !client.Transactions.IsExecuting)
            FlushEffects(client);
        PieceTime? pieces = context.Pending is { HasMore: true }
            ? new PieceTime(command, client.Server.CommandLogs.KeepSlow(ref context))
            : null;
        long slowTicks = pieces is null ? NoteTime(ref context, command, start) : 0;
        // A client that started MONITOR while a command had already released arguments does not see that command.
        // A blocked command is shown now, and counted when it is served or ends.
        if (context.Resumed is null && client.Server.Monitors.IsWatched && !context.HasReleased)
            client.Server.Monitors.Show(ref context);
        if (context.Pending is BlockedCommand)
            return notifies;

        batch.Counters.Calls[command.Id]++;
        batch.Counters.CommandsProcessed++;
        client.Traffic.Commands++;
        if (context.Reply.ErrorCount != errors && !(command.IsExec && batch.RanTransaction))
            batch.Counters.Failed[command.Id]++;
        if (slowTicks != 0)
            client.Server.CommandLogs.RecordSlow(ref context, slowTicks);
        written = context.Reply.BytesWritten - written + context.EarlierReplyBytes;
        if (context.Pending is { } later)
        {
            later.Logged = client.Server.CommandLogs.Keep(ref context);
            later.Time = pieces;
            if (pieces is not null)
                pieces.Ticks = batch.Timer.AfterPiece(command, start);
        }
        else if (context.RequestBytes >= batch.LargeRequestBytes || written >= batch.LargeReplyBytes)
        {
            client.Server.CommandLogs.RecordLarge(LoggedCommand.Of(ref context), written);
        }

        return notifies;
    }

    // The time of the call when it was slow, else 0.
    private static long NoteTime(ref CommandContext context, Command command, long start)
    {
        CommandTimer timer = context.Batch.Timer;
        if ((context.Resumed ?? context.Pending as BlockedCommand) is not { } blocked)
            return timer.After(command, start);
        blocked.TriedTicks = timer.AfterAttempt(command, start, blocked.TriedTicks, isLast: context.Pending is null);
        return timer.IsSlow(blocked.TriedTicks) ? Math.Max(blocked.TriedTicks, 1) : 0;
    }

    /// <summary>
    /// Executes a later step of a command that waits, which <see cref="Call"/> has counted already: passes its effects on, releases its
    /// keys and publishes its events.
    /// </summary>
    public static void Continue(ref CommandContext context, CommandHandler step)
    {
        ClientSession client = context.Client;
        long changes = client.Store.Changes.Count;
        bool notifies = client.Server.Notifications.IsOn;
        if (notifies)
            context.Batch.Events.Open(context.Command.Descriptor.Event);
        step(ref context);
        if (notifies)
            context.Batch.Events.Close();
        if (client.Store.Changes.Count != changes)
            NoteChanges(ref context, context.Command, client.Store.Changes.Count - changes);
        client.Store.EndCommand();
        if (notifies)
            context.PublishEvents();
    }

    private static void NoteChanges(ref CommandContext context, Command command, long made)
    {
        // The store counts its own steps; the counts of a transaction's commands have been corrected already.
        if (made != context.Changes && !command.IsExec && !command.Has(CommandTraits.RunsScript))
            context.Store.Slot.Changes += context.Changes - made;
        if (context.Server.Store.Changes.Sink is not null)
            Propagate(ref context);
        else if (!context.Client.Origin.IsReplay)
            context.Server.Replication.Primary?.OwnKeys.Note(ref context);
    }

    private static void Propagate(ref CommandContext context)
    {
        ClientSession client = context.Client;
        bool isAlone = !client.Transactions.IsExecuting;
        if (!context.EffectsGiven)
        {
            if (isAlone && client.Propagation.Bytes == 0 && context.TryGetEncoded(out ReadOnlySpan<byte> request))
            {
                Append(client, client.Store.Database, request);
                return;
            }

            context.KeepEffect();
        }

        if (isAlone)
            FlushEffects(client);
    }

    private static void Append(ClientSession client, int database, ReadOnlySpan<byte> effects)
    {
        if (client.Server.Store.Changes.Sink is not { } sink)
            return;
        sink.Append(database, effects);
        if (client.Propagation.NeedsNewReplicas)
        {
            client.Propagation.NeedsNewReplicas = false;
            client.Server.Replication.Replicas.NoteNewEffects();
        }

        client.Propagation.LastWrite = client.Server.Replication.Effects.Stream.Position;
    }

    /// <summary>Passes the collected effects on the selected database to the sink and clears them.</summary>
    public static void FlushEffects(ClientSession client) => FlushEffects(client, client.Store.Database);

    /// <summary>Passes the collected effects to the sink as one unit and clears them; several are wrapped in MULTI and EXEC.</summary>
    public static void FlushEffects(ClientSession client, int database)
    {
        if (!client.Propagation.HasEffects || client.Propagation.Effects.Written.IsEmpty)
            return;
        if (client.Propagation.Effects.Count > 1)
            client.Propagation.Effects.WrapInMultiExec();
        Append(client, database, client.Propagation.Effects.Written);
        client.Propagation.Effects.Clear();
    }
}
