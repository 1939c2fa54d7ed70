// The rules applied before and after every command's Execute, and the one place where effects reach the write sink. Runs on the client's
// thread.
using System.Text;
using Garnet.Server.Blocking;
using Garnet.Server.CommandModel;
using Garnet.Server.Statistics;

namespace Garnet.Server.Sessions;

/// <summary>Checks, queues, executes and accounts for single commands.</summary>
internal static class CommandDispatcher
{
    // Memory reserved for the request itself: its bytes and one record's overhead. Commands that grow a value beyond their arguments
    // reserve the rest themselves.
    private const int ReservationOverheadBytes = 64;

    /// <summary>
    /// Resolves a request's command. On a client error writes the error reply, marks an open transaction as broken and returns null. The
    /// context must be loaded with the arguments.
    /// </summary>
    public static Command? Resolve(ref CommandContext context, Command? found)
    {
        context.Client.LastCommand = found;
        if (context.Client.MustAuthenticate && (found is null || (found.Flags & CommandFlags.NoAuth) == 0))
        {
            Reject(ref context, found, ErrorText.NoAuth);
            return null;
        }

        if (found is null)
        {
            Reject(ref context, null, UnknownCommandText(ref context));
            return null;
        }

        if (found.IsContainer && context.Count >= 2)
        {
            Command? sub = found.FindSubcommand(context[1]);
            context.Client.LastCommand = sub;
            if (sub is null)
            {
                string name = Printable(context[1], 128);
                Reject(ref context, null, $"ERR unknown subcommand '{name}'. Try {found.Descriptor.Name} HELP.");
                return null;
            }

            found = sub;
        }

        context.Command = found;
        if (!found.AcceptsArgumentCount(context.Count) || found.Descriptor.Handler is null)
        {
            Reject(ref context, found, $"ERR wrong number of arguments for '{found.FullName}' command");
            return null;
        }

        if (
            (found.Flags & CommandFlags.Protected) != 0
            && !context.Client.IsReplaying
            && !context.Client.IsGranted(context.Server.Configuration.Current.EnableDebugCommand)
        )
        {
            Reject(ref context, found, ProtectedCommand);
            return null;
        }

        return found;
    }

    // DEBUG is the only such command.
    private static ReadOnlySpan<byte> ProtectedCommand =>
        "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you can run it from a local connection, otherwise you need to set this option in the configuration file, and then restart the server."u8;

    /// <summary>
    /// Runs one resolved command through all rules. The reply is complete afterwards, unless the context has a pending reply.
    /// </summary>
    public static void Run(ref CommandContext context)
    {
        ClientSession client = context.Client;
        Command command = context.Command;
        if (client.Transaction is not null && (command.Flags & CommandFlags.NoMulti) != 0)
        {
            Reject(ref context, command, $"ERR Command '{command.FullName}' not allowed inside a transaction");
            return;
        }

        if (!TryAdmit(ref context))
            return;
        if (context.RequestBytes + (client.Transaction?.ArgumentBytes ?? 0) > client.Server.MaxEffectBytes && IsTooLong(ref context))
        {
            Reject(ref context, command, ErrorText.TooLong);
            return;
        }

        if (client.Transaction is { } transaction && !command.IsTransactionControl)
        {
            // Commands that will not run need not be kept.
            if (!transaction.IsBroken && client.Watched is not { IsTouched: true })
                transaction.Queue(ref context);
            context.Reply.WriteSimpleString("QUEUED"u8);
            return;
        }

        Call(ref context);
        client.Store.EndCommand();
        BlockedClients waiting = client.Server.Blocked;
        if (waiting.HasReady)
            waiting.ServeReady(client.Store);
    }

    /// <summary>
    /// Reserves memory for a command that needs it, and checks whether the server's state allows the command; rejects it and returns false
    /// when not.
    /// </summary>
    public static bool TryAdmit(ref CommandContext context)
    {
        if (context.Client.IsReplaying)
            return true;
        if (
            (context.Command.Flags & CommandFlags.DenyOom) == 0
            || context.Store.TryReserve(ReservationOverheadBytes + context.ArgumentBytes)
        )
        {
            return IsAllowedNow(ref context, context.Command);
        }

        Reject(ref context, context.Command, ErrorText.OutOfMemory);
        return false;
    }

    // An effect, and each command queued by a transaction, must fit one contiguous buffer. Rejected before anything is changed.
    private static bool IsTooLong(ref CommandContext context) =>
        context.Client.Transaction is null
            ? context.HasSink && (context.Command.Flags & CommandFlags.Write) != 0
            : !context.Command.IsTransactionControl;

    // Whether the server's state allows the command; writes the error when not.
    private static bool IsAllowedNow(ref CommandContext context, Command command)
    {
        RespServer server = context.Server;
        if (
            !server.WriteDenial.IsEmpty
            && ((context.Client.FlagsOf(command) & CommandFlags.Write) != 0 || command.IsPing)
            && command.Descriptor.ReadsWhenDenied?.Invoke(in context) != true
        )
        {
            Reject(ref context, command, server.WriteDenial);
            return false;
        }

        const CommandFlags OnKeys = CommandFlags.Write | CommandFlags.ReadOnly | CommandFlags.MayReplicate;
        if (server.Monitors.IsWatched && (context.Client.FlagsOf(command) & OnKeys) != 0 && server.Monitors.IsWatcher(context.Client))
        {
            Reject(ref context, command, "ERR Replica can't interact with the keyspace"u8);
            return false;
        }

        if (server.IsLoading && (context.Client.FlagsOf(command) & CommandFlags.Loading) == 0)
        {
            Reject(ref context, command, ErrorText.Loading);
            return false;
        }

        return true;
    }

    /// <summary>
    /// Executes the command and passes its effects to the sink while its keys are still latched; also used for each command of an EXEC.
    /// </summary>
    public static void Call(ref CommandContext context)
    {
        ClientSession client = context.Client;
        Command command = context.Command;
        BatchContext batch = context.Batch;
        long errors = context.Reply.ErrorCount;
        long changes = client.Store.ChangeCount;
        long written = context.Reply.BytesWritten;
        long start = batch.Timer.Before(command);
        command.Descriptor.Handler!(ref context);
        if (client.Store.ChangeCount != changes)
            NoteChanges(ref context, command, client.Store.ChangeCount - changes);
        long slowTicks = batch.Timer.After(command, start);
        // A client that started MONITOR while a command had already released arguments does not see that command.
        // A blocked command is shown now, and counted when it is served or ends.
        if (context.Resumed is null && client.Server.Monitors.IsWatched && !context.HasForgotten)
            client.Server.Monitors.Show(ref context);
        if (context.Pending is BlockedCommand waiting)
        {
            waiting.TriedTicks += slowTicks;
            return;
        }

        batch.Calls[command.Id]++;
        batch.CommandsProcessed++;
        client.TotalCommands++;
        if (context.Reply.ErrorCount != errors && !(command.IsExec && batch.RanTransaction))
            batch.Failed[command.Id]++;
        if (slowTicks != 0)
            client.Server.CommandLogs.NoteSlow(ref context, slowTicks + (context.Resumed?.TriedTicks ?? 0));
        written = context.Reply.BytesWritten - written + context.EarlierReplyBytes;
        if (context.Pending is { } later)
            later.Logged = client.Server.CommandLogs.Keep(ref context);
        else if (context.RequestBytes >= batch.LargeRequestBytes || written >= batch.LargeReplyBytes)
            client.Server.CommandLogs.NoteLarge(LoggedCommand.Of(ref context), written);
    }

    /// <summary>Replies with an error before execution, counts it, and breaks an open transaction.</summary>
    public static void Reject(ref CommandContext context, Command? command, ReadOnlySpan<byte> error)
    {
        if (command is not null)
            context.Batch.Rejected[command.Id]++;
        if (command is { IsExec: true })
        {
            // A rejected EXEC ends the transaction.
            context.Client.ResetTransaction();
            byte[] reason = [.. "EXECABORT Transaction discarded because of: "u8, .. error.StartsWith("ERR "u8) ? error[4..] : error];
            context.Reply.WriteError(reason);
            context.Command = command;
            if (context.Server.Monitors.IsWatched)
                context.Server.Monitors.Show(ref context);
            return;
        }

        context.Reply.WriteError(error);
        context.Client.Transaction?.Break();
    }

    private static void Reject(ref CommandContext context, Command? command, string error) =>
        Reject(ref context, command, Encoding.Latin1.GetBytes(error));

    private static void NoteChanges(ref CommandContext context, Command command, long made)
    {
        // The store counts its own steps; the counts of a transaction's commands have been corrected already.
        if (made != context.Changes && !command.IsExec)
            context.Store.CountAs(made, context.Changes);
        if (context.Server.Store.Sink is not null)
            Propagate(ref context);
    }

    private static void Propagate(ref CommandContext context)
    {
        ClientSession client = context.Client;
        if (!context.EffectsGiven)
            context.KeepEffect();
        if (!client.IsExecuting)
            FlushEffects(client);
    }

    /// <summary>Passes the collected effects on the selected database to the sink and clears them.</summary>
    public static void FlushEffects(ClientSession client) => FlushEffects(client, client.Store.Database);

    /// <summary>Passes the collected effects to the sink as one unit and clears them; several are wrapped in MULTI and EXEC.</summary>
    public static void FlushEffects(ClientSession client, int database)
    {
        if (!client.HasEffects || client.Effects.Written.IsEmpty)
            return;
        if (client.Effects.Count > 1)
            client.Effects.WrapInMultiExec();
        client.Server.Store.Sink?.Append(database, client.Effects.Written);
        client.Effects.Clear();
    }

    private static string UnknownCommandText(ref CommandContext context)
    {
        StringBuilder text = new();
        for (int i = 1; i < context.Count && text.Length < 128; i++)
        {
            string argument = Printable(context[i], 128 - text.Length);
            text.Append('\'').Append(argument).Append("' ");
        }

        return $"ERR unknown command '{Printable(context[0], 128)}', with args beginning with: {text}";
    }

    private static string Printable(ReadOnlySpan<byte> bytes, int limit)
    {
        bytes = ArgumentText.UpToZero(bytes);
        return Encoding.Latin1.GetString(bytes.Length > limit ? bytes[..limit] : bytes);
    }
}
