// Decides whether a request runs, is queued or refused, or has to wait first. One for each server; used by any thread inside a batch.
using System.Numerics;
using System.Runtime.CompilerServices;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Engine.Execution;

/// <summary>
/// The one way to run a command, whoever its origin is: it is looked up; the gates that concern it are asked, in their order; its memory is
/// reserved; then it runs, or is queued. All waits happen before the first latch, because nothing may wait while holding one; after a wait
/// everything is asked again. While nothing is raised, all of that is one test.
/// </summary>
internal sealed class Executor
{
    // Not asked again under the barrier: nothing of it can have changed, or waiting for it is worth nothing then.
    private const GateMask Lasting = GateMask.Memory | GateMask.Size | GateMask.SharedBlock | GateMask.Checked;

    // Gates that only wait.
    private const GateMask Waiting = GateMask.Pause | GateMask.OfExecution;

    // Memory reserved for the request itself: its bytes and one record's overhead. Commands that grow a value beyond their arguments
    // reserve the rest themselves.
    private const int ReservationOverheadBytes = 64;

    private readonly CommandTable _commands;
    private readonly Conditions _conditions;
    private readonly ServerGates _gates;
    private readonly Gate?[] _byBit = new Gate?[32];

    /// <summary>Creates the executor of a server.</summary>
    /// <param name="commands">The commands.</param>
    /// <param name="conditions">What is raised.</param>
    /// <param name="gates">The gates.</param>
    /// <param name="observers">Who watches commands.</param>
    /// <param name="runner">Runs commands that were let in.</param>
    public Executor(CommandTable commands, Conditions conditions, ServerGates gates, CommandObservers observers, CommandRunner runner)
    {
        Observers = observers;
        Runner = runner;
        _commands = commands;
        _conditions = conditions;
        _gates = gates;
        foreach (Gate gate in gates.All)
            _byBit[BitOperations.Log2((uint)gate.Bit)] = gate;
        conditions.AssignBits((uint)GateMask.Memory, (uint)GateMask.SnapshotSpace);
        conditions.Set((uint)ServerGates.AlwaysRaised, areRaised: true);
    }

    /// <summary>The options that commands depend on.</summary>
    public required EngineSettings Settings { get; set; }

    /// <summary>The memory of the threads that run commands.</summary>
    public required ThreadScratchPool Threads { get; init; }

    /// <summary>Clients that wait for keys.</summary>
    public required BlockedClients Blocked { get; init; }

    /// <summary>Ends the waits of all clients at once.</summary>
    public required ReleasedWaits Waits { get; init; }

    /// <summary>The clock.</summary>
    public required TimeProvider Time { get; init; }

    /// <summary>The commands.</summary>
    public CommandTable Commands => _commands;

    /// <summary>The gates.</summary>
    public ServerGates Gates => _gates;

    /// <summary>Who watches commands.</summary>
    public CommandObservers Observers { get; }

    /// <summary>Runs commands that were let in, for what runs several as one.</summary>
    public CommandRunner Runner { get; }

    /// <summary>
    /// For tests: gates that are not raised are asked as well, and must let the request pass (<see cref="InvalidOperationException"/>).
    /// </summary>
    public void CheckGates() => _conditions.Set((uint)GateMask.Checked, areRaised: true);

    /// <summary>For tests: asks another gate in the place of one, from before the first command on.</summary>
    public void Replace(Gate gate) => _byBit[BitOperations.Log2((uint)gate.Bit)] = gate;

    /// <summary>Begins a batch of commands of a client, on the calling thread.</summary>
    /// <param name="client">The client.</param>
    /// <param name="thread">The thread's memory.</param>
    /// <param name="reply">Receives the replies.</param>
    public Batch Enter(ClientSession client, ThreadScratch thread, RespWriter reply) => new(this, client, thread, reply);

    /// <summary>Writes a reply, or a piece of it, that had to wait for something.</summary>
    public static void WriteLater(ClientSession client, PendingReply pending, ref RespWriter reply)
    {
        using StoreVisit visit = new(client.Store);
        pending.WriteReply(ref reply);
    }

    /// <summary>Decides about a request. The context must be loaded with its arguments.</summary>
    /// <param name="context">The request; its command is set unless it is refused as unknown.</param>
    /// <param name="found">What the command table has under its name; null when nothing.</param>
    public Admission Admit(ref CommandContext context, Command? found) =>
        TryResolve(ref context, found) ? AdmitResolved(ref context) : Admission.Reject;

    /// <summary>Decides about a request whose command is set.</summary>
    public Admission AdmitResolved(ref CommandContext context)
    {
        GateMask due = Raised(ref context) & context.Command.Concerns.OfCall & context.Asked;
        if (due != 0 || context.Client.Transactions.Open is not null)
            return AdmitRare(ref context, due);
        return TryReserve(ref context, context.Command.Flags) ? Admission.Run : Refuse(ref context, RefusalKind.OutOfMemory);
    }

    /// <summary>
    /// Finds the command of a request, or its subcommand. On a client's mistake writes the error reply, marks an open transaction as
    /// aborted and returns false.
    /// </summary>
    public bool TryResolve(ref CommandContext context, Command? found)
    {
        ClientSession client = context.Client;
        // While a script runs, its own command stays the last one.
        bool isShown = client.Transactions.Script is null;
        if (isShown)
            client.Traffic.LastCommand = found;
        if (client.Login.IsRequired && (found is null || (found.Flags & CommandFlags.NoAuth) == 0))
            return Refuse(ref context, found, RefusalKind.NotAuthenticated);

        // A command earlier in the pipeline may have loaded its module.
        found ??= _commands.Find(context[0]);
        if (found is null)
            return Refuse(ref context, null, RefusalKind.UnknownCommand);

        if (found.IsContainer && context.Count >= 2)
        {
            Command? sub = found.FindSubcommand(context[1]);
            if (isShown)
                client.Traffic.LastCommand = sub;
            if (sub is null)
                return Refuse(ref context, null, new Refusal(RefusalKind.UnknownSubcommand, found));
            found = sub;
        }

        context.Command = found;
        return (found.AcceptsArgumentCount(context.Count) && found.Handler is not null)
            || Refuse(ref context, found, RefusalKind.WrongArgumentCount);
    }

    /// <summary>
    /// Holds all other sessions for a command that was let in, until it ends and its effects are passed on, as latches are held: it has
    /// nothing to release. The state may change while it waits for them, so the gates are asked again. If one no longer lets it pass,
    /// returns false, with the refusal written or <see cref="CommandContext.RetryAfter"/> set; the command then ends without a reply,
    /// having changed nothing.
    /// </summary>
    public bool TryBeginAlone(ref CommandContext context)
    {
        if (context.Store.Barrier.IsExclusive)
            return true;
        context.Store.HoldExclusive();
        return MayStillBegin(ref context);
    }

    /// <summary>
    /// For a command that has left the epoch since it was let in, and has done nothing yet: whether the gates still let it pass. If not,
    /// the refusal is written or <see cref="CommandContext.RetryAfter"/> set, and the command ends without a reply.
    /// </summary>
    public bool MayStillBegin(ref CommandContext context)
    {
        GateAnswer answer = AskAgain(ref context);
        if (answer.IsPass)
            return true;
        context.HasNotBegun = true;
        if (answer.Wait is { } wait)
            context.RetryAfter = wait;
        else
            Refused.Reply(ref context, context.Command, answer.Refusal);
        return false;
    }

    /// <summary>
    /// For a command in steps between which others run: whether the state still allows it; writes the error if not. It does not wait.
    /// </summary>
    public bool TryContinue(ref CommandContext context) =>
        AskAgain(ref context, Waiting).Refusal is not { Kind: not RefusalKind.None } refusal
        || Refuse(ref context, context.Command, refusal);

    private GateAnswer AskAgain(ref CommandContext context, GateMask except = GateMask.None)
    {
        GateMask due = Raised(ref context) & context.Command.Concerns.OfCall & context.Asked & ~(Lasting | except);
        if (due == 0)
            return default;
        context.EffectiveFlags = FlagsOf(ref context);
        return AskEach(ref context, due & ConcernsOf(ref context, context.EffectiveFlags));
    }

    /// <summary>The gates that EXEC has to ask because of a command with these flags, which is to be queued.</summary>
    public GateMask ConcernsOfQueued(Command command, CommandFlags flags)
    {
        GateMask concerns = ConcernsOf(command, flags) & GateMask.OfQueue;
        // PING was asked when it was queued.
        return (flags & CommandFlags.Write) == 0 ? concerns & ~GateMask.Saved : concerns;
    }

    /// <summary>
    /// The flags of a request for gates about the state: for EXEC of all that is queued, for a script those that it declares.
    /// </summary>
    public static CommandFlags FlagsOf(ref CommandContext context)
    {
        Command command = context.Command;
        if (command.IsExec && context.Client.Transactions.Open is { } transaction)
            return (command.Flags | transaction.Flags) & ~(transaction.LackedFlags & (CommandFlags.Loading | CommandFlags.Stale));
        return command.FlagsOfCall is { } flagsOf ? flagsOf(ref context) : command.Flags;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private GateMask Raised(ref CommandContext context)
    {
        ClientSession client = context.Client;
        GateMask raised = (GateMask)_conditions.Raised | client.Output.Raised;
        if (client.Login.IsRestricted)
            raised |= GateMask.Permission;
        if (client.Store.Barrier.IsGuest)
            raised |= GateMask.Busy;
        if (context.RequestBytes > _gates.Size.SmallBytes)
            raised |= GateMask.Size;
        return raised;
    }

    // Something is raised, or a transaction is open.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private Admission AdmitRare(ref CommandContext context, GateMask due)
    {
        ClientSession client = context.Client;
        Transaction? open = client.Transactions.Open;
        bool isQueued = open is not null && !context.Command.Has(CommandTraits.ControlsTransaction);
        // Small requests together may be too large.
        if (open is not null && context.RequestBytes + open.ArgumentBytes > _gates.Size.SmallBytes)
            due |= GateMask.Size & context.Asked;
        if (isQueued)
            due &= context.Origin.AskedWhileQueueing;
        CommandFlags flags = open is not null || (due & GateMask.OfQueue) != 0 ? FlagsOf(ref context) : context.Command.Flags;
        context.EffectiveFlags = flags;
        GateAnswer answer = Ask(ref context, due & ConcernsOf(ref context, flags));
        if (answer.Wait is { } wait)
        {
            client.Wait.Before = wait;
            return Admission.Wait;
        }

        if (answer.Refusal.Kind != RefusalKind.None)
            return Refuse(ref context, answer.Refusal);
        return isQueued ? Admission.Queue : Admission.Run;
    }

    private GateAnswer Ask(ref CommandContext context, GateMask due)
    {
        context.Client.Wait.IsPaused = false;
        GateMask first = context.Origin.AskedBeforeMemory;
        GateAnswer answer = AskEach(ref context, due & first);
        if (answer.IsPass && (due & GateMask.Memory) != 0)
            answer = AskEach(ref context, GateMask.Memory);
        if (answer.IsPass && !TryReserve(ref context, context.EffectiveFlags))
            answer = RefusalKind.OutOfMemory;
        GateMask rest = due & ~(first | GateMask.Memory | GateMask.Checked);
        GateMask next = context.Origin.AskedBeforeSaved;
        if (answer.IsPass)
            answer = AskEach(ref context, rest & next);
        if (answer.IsPass)
            answer = AskEach(ref context, rest & ~next);
        if (answer.IsPass && (due & GateMask.Checked) != 0)
            CheckOthers(ref context, due);
        return answer;
    }

    // In the order of their bits.
    private GateAnswer AskEach(ref CommandContext context, GateMask due)
    {
        for (uint left = (uint)due; left != 0; left &= left - 1)
        {
            Gate gate = _byBit[BitOperations.TrailingZeroCount(left)]!;
            GateAnswer answer = gate.Ask(ref context);
            if (answer.IsPass)
                continue;
            context.Client.Wait.IsPaused = gate.Bit == GateMask.Pause;
            return answer;
        }

        return default;
    }

    /// <summary>Asks one gate about a request whose command is set, whether or not it is raised.</summary>
    public GateAnswer AskGate(GateMask bit, ref CommandContext context) =>
        _byBit[BitOperations.TrailingZeroCount((uint)bit)]?.Ask(ref context) ?? default;

    private void CheckOthers(ref CommandContext context, GateMask asked)
    {
        GateMask concerned = ConcernsOf(ref context, context.EffectiveFlags) & context.Asked & ~(asked | Lasting);
        if (context.Client.Transactions.Open is not null)
            concerned &= context.Origin.AskedWhileQueueing;
        foreach (Gate gate in _gates.All)
        {
            if ((gate.Bit & concerned) == 0 || gate.Ask(ref context).IsPass)
                continue;
            // One that has been raised meanwhile concerns the next command.
            string problem = $"The gate {gate.Bit} is not raised, but does not let '{context.Command.FullName}' pass.";
            if ((Raised(ref context) & gate.Bit) == 0)
                throw new InvalidOperationException(problem);
        }
    }

    private GateMask ConcernsOf(ref CommandContext context, CommandFlags flags)
    {
        Command command = context.Command;
        return command.IsExec && context.Client.Transactions.Open is { } transaction
            ? ConcernsOf(command, command.Flags) | transaction.Concerns
            : ConcernsOf(command, flags);
    }

    // Remembered for each command; a script may declare other flags than those of its command.
    private GateMask ConcernsOf(Command command, CommandFlags flags)
    {
        if (flags != command.Flags)
            return ConcernsOf(new CommandNeeds(flags, command.Descriptor.Traits, command));
        ref CommandConcerns concerns = ref command.Concerns;
        if (!concerns.IsKnown)
        {
            bool dependsOnCall = command.IsExec || command.FlagsOfCall is not null;
            concerns.Set(ConcernsOf(new CommandNeeds(flags, command.Descriptor.Traits, command)), dependsOnCall);
        }

        return concerns.OfFlags;
    }

    private GateMask ConcernsOf(in CommandNeeds needs)
    {
        GateMask concerns = GateMask.Checked;
        foreach (Gate? gate in _byBit)
        {
            if (gate?.Concerns(in needs) == true)
                concerns |= gate.Bit;
        }

        return concerns;
    }

    // Evicts keys if necessary; the last that happens before a command runs, but in its place among the refusals.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryReserve(ref CommandContext context, CommandFlags flags) =>
        (flags & CommandFlags.DenyOom) == 0 || TryReserve(ref context);

    private static bool TryReserve(ref CommandContext context)
    {
        if ((context.Asked & GateMask.Memory) == 0)
            return true;
        long bytes =
            context.Command.IsExec && context.Client.Transactions.Open is { } transaction
                ? transaction.ArgumentBytes
                : ReservationOverheadBytes + context.ArgumentBytes;
        return context.Store.Memory.TryReserve(bytes) || context.AllowsOom;
    }

    private static Admission Refuse(ref CommandContext context, Refusal refusal)
    {
        Refused.Reply(ref context, context.Command, refusal);
        return Admission.Reject;
    }

    private static Admission Refuse(ref CommandContext context, RefusalKind kind) => Refuse(ref context, new Refusal(kind));

    private static bool Refuse(ref CommandContext context, Command? command, Refusal refusal)
    {
        Refused.Reply(ref context, command, refusal);
        return false;
    }

    private static bool Refuse(ref CommandContext context, Command? command, RefusalKind kind) =>
        Refuse(ref context, command, new Refusal(kind));
}
