// Decides whether a request runs, is queued or rejected, or has to wait first. One for each session, whether of a connection or in the
// process; used by its thread inside a batch.
using System.Runtime.CompilerServices;
using Garnet.Protocol;
using Garnet.Server.Acl;
using Garnet.Server.CommandModel;
using Garnet.Server.Commands.Scripting;
using Garnet.Server.Persistence;
using Garnet.Store;
using Garnet.Store.Records;

namespace Garnet.Server.Sessions;

/// <summary>
/// All rules that a command passes before it runs, in this order:
/// <list type="number">
/// <item>authenticated, known, with a number of arguments it accepts, and not protected (<see cref="TryResolve"/>);</item>
/// <item>nothing to wait for: CLIENT PAUSE; space for old images in a snapshot, for values in memory and for effects in the append-only
/// log; values that are not in memory; and a private copy of a large value that others still read. All waits happen before the first latch,
/// because nothing may wait while holding one. After each wait the request is checked again from the start;</item>
/// <item>allowed in a transaction and by the rules of its user, enough memory, and allowed by the state of the server and the client
/// (writes denied, monitor, subscriber, loading);</item>
/// <item>of a size that one effect or one transaction can hold.</item>
/// </list>
/// Other callers apply a part of these rules: a replay has resolved its commands already and never waits, and a blocked command that is
/// retried is only checked against the state of the server.
/// </summary>
/// <param name="queuesAtOnce">
/// Whether a command that is only queued never waits. A connection waits as in Valkey; an in-process caller does not, because its commit
/// waits for everything.
/// </param>
internal struct CommandAdmission(bool queuesAtOnce)
{
    /// <summary>Maximum number of maintenance rounds that a command waits for memory: about a second.</summary>
    private const int MaxMemoryWaits = 1000;

    // Memory reserved for the request itself: its bytes and one record's overhead. Commands that grow a value beyond their arguments
    // reserve the rest themselves.
    private const int ReservationOverheadBytes = 64;

    // The longest argument that a command about connections or the server takes.
    private const long MaxTextBytes = 16 << 20;

    private bool _hasCopiedBlock;
    private int _memoryWaits;

    /// <summary>What the last request has to wait for, when that was the answer.</summary>
    public Task? Wait { get; private set; }

    /// <summary>True when that is the end of CLIENT PAUSE, which counts as blocked in Valkey too.</summary>
    public bool IsPaused { get; private set; }

    /// <summary>Decides about a request. The context must be loaded with its arguments.</summary>
    /// <param name="context">The request; its command is set unless it is rejected as unknown.</param>
    /// <param name="found">What the command table has under its name; null when nothing.</param>
    public Admission Admit(ref CommandContext context, Command? found)
    {
        if (!TryResolve(ref context, found))
            return Admission.Reject;
        Wait = NextWait(ref context);
        return Wait is null ? AdmitResolved(ref context) : Admission.Wait;
    }

    /// <summary>Decides about a resolved request that waits for nothing.</summary>
    public static Admission AdmitResolved(ref CommandContext context)
    {
        ClientSession client = context.Client;
        Command command = context.Command;
        if (client.Transactions.Open is not null && (command.Flags & CommandFlags.NoMulti) != 0)
        {
            CommandRejection.Reject(ref context, command, $"ERR Command '{command.FullName}' not allowed inside a transaction");
            return Admission.Reject;
        }

        if (client.Login.IsRestricted && !IsPermitted(ref context))
            return Admission.Reject;
        bool isQueued = IsQueued(ref context);
        if (!IsLetIn(ref context) || (isQueued && IsScript(command) && !ScriptPermission.MayBeQueued(ref context)))
            return Admission.Reject;
        long bytes = context.RequestBytes + (client.Transactions.Open?.ArgumentBytes ?? 0);
        if (bytes > client.Server.Admission.MaxEffectBytes && IsTooLong(ref context))
        {
            CommandRejection.Reject(ref context, command, ErrorText.TooLong);
            return Admission.Reject;
        }

        if (bytes > MaxTextBytes && HasLongText(ref context))
        {
            CommandRejection.Reject(ref context, command, ErrorText.TextTooLong);
            return Admission.Reject;
        }

        return isQueued ? Admission.Queue : Admission.Run;
    }

    /// <summary>
    /// Finds the command of a request, or its subcommand. On a client's mistake writes the error reply, marks an open transaction as
    /// aborted and returns false.
    /// </summary>
    public static bool TryResolve(ref CommandContext context, Command? found)
    {
        ClientSession client = context.Client;
        // While a script runs, its own command stays the last one.
        bool isShown = client.Transactions.Script is null;
        if (isShown)
            client.Traffic.LastCommand = found;
        if (client.Login.IsRequired && (found is null || (found.Flags & CommandFlags.NoAuth) == 0))
        {
            CommandRejection.Reject(ref context, found, ErrorText.NoAuth);
            return false;
        }

        // A command earlier in the pipeline may have loaded its module.
        found ??= context.Server.Commands.Find(context[0]);
        if (found is null)
        {
            CommandRejection.Reject(ref context, null, CommandRejection.UnknownCommand(ref context));
            return false;
        }

        if (found.IsContainer && context.Count >= 2)
        {
            Command? sub = found.FindSubcommand(context[1]);
            if (isShown)
                client.Traffic.LastCommand = sub;
            if (sub is null)
            {
                string name = CommandRejection.Printable(context[1], 128);
                string container = found.IsRenamed ? CommandRejection.Printable(context[0], 128).ToUpperInvariant() : found.Descriptor.Name;
                CommandRejection.Reject(ref context, null, $"ERR unknown subcommand '{name}'. Try {container} HELP.");
                return false;
            }

            found = sub;
        }

        context.Command = found;
        if (!found.AcceptsArgumentCount(context.Count) || found.Descriptor.Handler is null)
        {
            CommandRejection.Reject(ref context, found, $"ERR wrong number of arguments for '{found.FullName}' command");
            return false;
        }

        return (found.Flags & CommandFlags.Protected) == 0 || client.IsReplaying || IsUnprotected(ref context, found);
    }

    private static bool IsUnprotected(ref CommandContext context, Command command)
    {
        ProtectingOption option = command.Descriptor.ProtectedBy!;
        if (option.Access(context.Server.Configuration.Current).Includes(context.Client))
            return true;
        CommandRejection.Reject(ref context, command, option.Error);
        return false;
    }

    /// <summary>
    /// Reserves memory for a command that needs it, and checks whether the server's state allows the command; rejects it and returns false
    /// when not.
    /// </summary>
    /// <param name="context">The request.</param>
    /// <param name="allowsOom">Whether it runs even if memory is exhausted: a script that has begun to write is not stopped.</param>
    public static bool IsLetIn(ref CommandContext context, bool allowsOom = false)
    {
        if (context.Client.IsReplaying)
            return true;
        if (
            (context.Command.Flags & CommandFlags.DenyOom) == 0
            || context.Store.Memory.TryReserve(ReservationOverheadBytes + context.ArgumentBytes)
            || allowsOom
        )
        {
            return IsAllowedByState(ref context, context.Command);
        }

        CommandRejection.Reject(ref context, context.Command, ErrorText.OutOfMemory);
        return false;
    }

    /// <summary>
    /// Holds all other sessions for a command that was let in, until <see cref="StoreSession.EndExclusive"/>. The state may change while
    /// it waits for them, so it is checked again; if it no longer allows the command, rejects it and returns false, holding nothing.
    /// </summary>
    public static bool TryBeginAlone(ref CommandContext context)
    {
        bool isAlone = context.Store.Barrier.IsExclusive;
        context.Store.BeginExclusive();
        if (isAlone || context.Client.IsReplaying || IsAllowedByState(ref context, context.Command))
            return true;
        context.Store.EndExclusive();
        return false;
    }

    /// <summary>
    /// The flags of a request for rules on the state: for EXEC of all that is queued, for a script those that it declares.
    /// </summary>
    public static CommandFlags FlagsOf(ref CommandContext context)
    {
        Command command = context.Command;
        if (command.IsExec && context.Client.Transactions.Open is { } transaction)
            return (command.Flags | transaction.Flags) & ~(transaction.LackedFlags & (CommandFlags.Loading | CommandFlags.Stale));
        return IsScript(command) ? ScriptPermission.FlagsOf(ref context) : command.Flags;
    }

    private static bool IsScript(Command command) =>
        command.Has(CommandTraits.RunsScript) && command.Descriptor.Group == CommandGroup.Scripting;

    /// <summary>Checks the rules of the client's user; rejects the command and returns false when they deny it.</summary>
    public static bool IsPermitted(ref CommandContext context)
    {
        int database = context.Client.Transactions.Open?.Database ?? context.Store.Database;
        if (context.Client.Login.User is not { } user)
            return true;
        Denial denial = Permission.Check(user.Rules, context.Command, in context, 0, database, out int position);
        if (denial == Denial.None)
            return true;
        DenialReport.Add(ref context, user, denial, position);
        CommandRejection.Reject(ref context, context.Command, "NOPERM " + DenialReport.Short(denial, user, context.Command));
        return false;
    }

    private static bool IsQueued(ref CommandContext context) =>
        context.Client.Transactions.Open is not null && !context.Command.Has(CommandTraits.ControlsTransaction);

    // An effect, and the queue of a transaction, must fit into one contiguous buffer. Refused before anything is changed.
    private static bool IsTooLong(ref CommandContext context) =>
        context.Client.Transactions.Open is null
            ? context.HasSink && (context.Command.Flags & CommandFlags.Write) != 0
            : !context.Command.Has(CommandTraits.ControlsTransaction);

    // Commands about connections and the server convert their arguments (names, patterns, values of options) to text, which takes two bytes
    // for each byte and cannot be longer than a gigabyte.
    private static bool HasLongText(ref CommandContext context)
    {
        Command command = context.Command;
        bool isOfServer = command.Descriptor.Group is CommandGroup.Connection or CommandGroup.Server or CommandGroup.Cluster;
        if (!isOfServer || command.Descriptor.Keys.Length > 0 || command.Has(CommandTraits.TakesLongArguments))
            return false;
        for (int i = 1; i < context.Count; i++)
        {
            if (context[i].Length > MaxTextBytes)
                return true;
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsAllowedByState(ref CommandContext context, Command command)
    {
        RespServer server = context.Server;
        return (
                server.Persistence.AllowsEverything
                && server.Replication.AllowsEverything
                && !server.Monitors.IsWatched
                && !context.Store.Barrier.IsGuest
                && context.Client.Output.Class == OutputClass.Normal
            ) || IsAllowedBySpecialState(ref context, command);
    }

    private static bool IsAllowedBySpecialState(ref CommandContext context, Command command)
    {
        RespServer server = context.Server;
        CommandFlags flags = FlagsOf(ref context);
        if (context.Client.Modes.CanRedirect && server.Replication.Primary?.RedirectFor(context.Client, flags) is { } redirect)
        {
            CommandRejection.Reject(ref context, command, redirect);
            return false;
        }

        if (
            !server.Persistence.WriteDenial.IsEmpty
            && ((flags & CommandFlags.Write) != 0 || command.Has(CommandTraits.ReportsWriteDenial))
            && command.Descriptor.ReadsWhenDenied?.Invoke(in context) != true
        )
        {
            CommandRejection.Reject(ref context, command, server.Persistence.WriteDenial);
            return false;
        }

        const CommandFlags OnKeys = CommandFlags.Write | CommandFlags.ReadOnly | CommandFlags.MayReplicate;
        if ((context.Client.Output.Class == OutputClass.Replica || server.Monitors.IsWatcher(context.Client)) && (flags & OnKeys) != 0)
        {
            CommandRejection.Reject(ref context, command, "ERR Replica can't interact with the keyspace"u8);
            return false;
        }

        if (server.Replication.Denial(flags) is { IsEmpty: false } denial)
        {
            CommandRejection.Reject(ref context, command, denial);
            return false;
        }

        if (context.Client.Output.TakesOnlySubscriptions && !command.Has(CommandTraits.ForSubscribers))
        {
            CommandRejection.Reject(
                ref context,
                command,
                $"ERR Can't execute '{command.FullName}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context"
            );
            return false;
        }

        if (server.Persistence.Loading is { } loading && IsDeniedBy(loading, flags))
        {
            CommandRejection.Reject(
                ref context,
                command,
                server.Configuration.Current.ExtendedRedisCompatibility ? ErrorText.LoadingAsRedis : ErrorText.Loading
            );
            return false;
        }

        if (context.Store.Barrier.IsGuest && (command.Flags & CommandFlags.AllowBusy) == 0)
        {
            CommandRejection.Reject(ref context, command, server.Scripts.Running.BusyError);
            return false;
        }

        return true;
    }

    // While a replica loads beside its data, that is served.
    private static bool IsDeniedBy(LoadingStatus loading, CommandFlags flags) =>
        loading.IsAsync ? (flags & CommandFlags.NoAsyncLoading) != 0 : (flags & CommandFlags.Loading) == 0;

    // The next wait of a resolved command; null when it waits for nothing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Task? NextWait(ref CommandContext context)
    {
        RespServer server = context.Server;
        bool mayWait =
            server.Clients.Pause.MayBeActive
            || server.Store.Snapshots.IsActive
            || server.Store.Budget.IsOver
            || server.Persistence.AppendOnly.Log is { HasSpace: false }
            || server.Admission.ValueSource is not null
            || context.Command.Has(CommandTraits.ChangesPart);
        return mayWait && !(queuesAtOnce && IsQueued(ref context)) ? FindWait(ref context, server) : null;
    }

    private Task? FindWait(ref CommandContext context, RespServer server)
    {
        ClientSession client = context.Client;
        // Rejected, or about connections only.
        if (client.Store.Barrier.IsGuest)
            return null;
        CommandFlags flags = FlagsOf(ref context);

        // As in Valkey, commands to be queued by MULTI are delayed too.
        Task? pause = server.Clients.Pause.MayBeActive
            ? server.Clients.Pause.WaitFor(
                server.Replication.Primary?.WaitsForFailover(client, flags) == true ? flags | CommandFlags.Write : flags,
                server.Clock.Time.GetUtcNow().ToUnixTimeMilliseconds(),
                server.Clock.Time,
                client.Session?.Disconnected ?? client.Connection.Closed
            )
            : null;
        IsPaused = pause is not null;
        if (IsPaused)
            return pause;

        // Queueing writes nothing yet.
        if (IsQueued(ref context))
            return null;
        bool writes = (flags & (CommandFlags.Write | CommandFlags.MayReplicate)) != 0;
        if (writes && server.Store.Snapshots.IsActive && server.Store.Snapshots.MustWait(0))
            return server.Store.Snapshots.WaitAsync();
        if (server.Store.Budget.IsOver && MustWaitForMemory(ref context, flags))
            return server.Store.Budget.WaitAsync();
        if (writes && server.Persistence.AppendOnly.Log is { HasSpace: false } log)
            return log.SpaceAsync();
        if (server.Admission.ValueSource?.Fetch(ref context) is { } fetch)
            return fetch;
        return context.Command.Has(CommandTraits.ChangesPart) ? CopyBlock(ref context) : null;
    }

    // Pages have to be freed before more are allocated. If that takes too long, something else is the obstacle, and the command proceeds:
    // it evicts keys, or is rejected.
    private bool MustWaitForMemory(ref CommandContext context, CommandFlags flags)
    {
        if (
            (flags & CommandFlags.DenyOom) == 0
            || _memoryWaits >= MaxMemoryWaits
            || !context.Server.Store.Budget.MustWait(context.ArgumentBytes)
        )
        {
            _memoryWaits = 0;
            return false;
        }

        _memoryWaits++;
        return true;
    }

    // Many megabytes are copied on another thread, once per command; if the block is shared again by then, the command copies it itself.
    // EXEC is not checked: it changes the keys of its commands.
    private Task? CopyBlock(ref CommandContext context)
    {
        bool isCopied = _hasCopiedBlock;
        _hasCopiedBlock = false;
        if (isCopied || !SharedBlocks.MustCopy(context.Store, context[1], context.Hash(1)))
            return null;
        _hasCopiedBlock = true;
        return CopyBlock(context.Server.Store, context.Store.Database, context[1].ToArray());
    }

    private static Task CopyBlock(HybridLogStore store, int database, byte[] key) =>
        Task.Run(() => SharedBlocks.Copy(store, database, key));
}
