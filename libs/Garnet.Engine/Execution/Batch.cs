// One visit of a caller's commands to the store: the only way in and out. Lives on the stack; one thread.
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Garnet.Engine.Rules;
using Garnet.Protocol;

namespace Garnet.Engine.Execution;

/// <summary>
/// Enters the store's epoch, runs commands, and leaves again: latches, barrier and scratch memory that a command which threw still holds
/// are released, and clients of other threads learn of what was published and changed. To be used with <c>using</c>:
/// <see cref="Executor.Enter"/>, <see cref="Begin(int)"/>, <see cref="Execute"/> for each command, <see cref="Complete"/>.
/// </summary>
internal ref struct Batch : IDisposable
{
    private readonly Executor _executor;
    private readonly ClientSession? _outer; // whose commands go on afterwards on this thread
    private readonly bool _isInner;
    private CommandContext _context;
    private long _enteredAt;
    private bool _isComplete;

    internal Batch(Executor executor, ClientSession client, ThreadScratch thread, RespWriter reply)
    {
        _executor = executor;
        _context = new CommandContext(client, thread, reply);
        _isInner = thread.Batches.Depth++ > 0;
        // Within another batch also when tracking has been turned off meanwhile: that one goes on gathering for its own client.
        if ((executor.Observers.Present & ObserverMask.Tracking) != 0 || _isInner)
            _outer = executor.Observers.Enter(thread, client);
        client.Store.EnterBatch(out _enteredAt);
    }

    /// <summary>The batch itself, to be passed on.</summary>
    [UnscopedRef]
    public ref Batch Self => ref this;

    /// <summary>The command that runs, and its reply.</summary>
    [UnscopedRef]
    public ref CommandContext Context => ref _context;

    /// <summary>Begins to measure some commands.</summary>
    public void Begin(int commands)
    {
        // Of the first ones, the entry has read the clock already.
        long now = _enteredAt != 0 ? _enteredAt : Stopwatch.GetTimestamp();
        _enteredAt = 0;
        _context.Scratch.BeginBatch(commands, now);
    }

    /// <summary>
    /// Decides about the request in the context and does what was decided: runs it, queues it for EXEC, or refuses it. The reply is
    /// complete afterwards, unless the context has a pending reply, or the answer is to wait.
    /// </summary>
    /// <param name="found">What the command table has under its name; null when nothing.</param>
    public Admission Execute(Command? found) => Run(_executor.Admit(ref _context, found));

    /// <summary>As <see cref="Execute"/>, for a command that is known and set.</summary>
    public Admission ExecuteResolved() => Run(_executor.AdmitResolved(ref _context));

    /// <summary>
    /// Decides about a later step of a command that waits, as about the command itself, and runs it if it may: without counting it again.
    /// </summary>
    public Admission ExecuteStep(Command command, CommandHandler step)
    {
        Admission admission = _executor.Admit(ref _context, command);
        if (admission == Admission.Run)
            _executor.Runner.Continue(ref _context, step);
        return admission;
    }

    /// <summary>
    /// Decides about a blocked command that is executed again, and runs it; releases its keys, but leaves its events to the caller.
    /// </summary>
    public void ExecuteAgain()
    {
        if (_executor.AdmitResolved(ref _context) == Admission.Run)
            _executor.Runner.Call(ref _context);
        _context.Store.EndCommand();
    }

    /// <summary>Ends the commands. Not reached when one threw and the caller must end.</summary>
    public void Complete()
    {
        _context.Scratch.Timer.EndRun();
        _isComplete = true;
    }

    /// <summary>Hands the replies to their buffer; returns how many bytes were written since the batch began.</summary>
    public long Flush()
    {
        _context.Reply.Flush();
        return _context.Reply.BytesWritten;
    }

    /// <summary>Leaves the store.</summary>
    public void Dispose()
    {
        ThreadScratch thread = _context.Scratch;
        _context.Client.Store.LeaveBatch();
        if (!_isComplete)
            thread.ReleaseScratch();
        thread.Batches.Depth--;
        if (!_isInner)
            thread.Batches.EndOutermost();
        if (thread.Batches.IsGathering)
            _executor.Observers.Leave(thread, _outer);
    }

    private Admission Run(Admission admission)
    {
        if (admission == Admission.Run)
            return _executor.Runner.Run(ref _context);
        if (admission == Admission.Queue)
            Queue(_context.Client.Transactions.Open!);
        return admission;
    }

    private void Queue(Transaction transaction)
    {
        // Commands that will not run need not be kept.
        if (!transaction.IsBroken && _context.Client.Transactions.Watched is not { IsTouched: true })
            transaction.Queue(ref _context);
        _context.Reply.WriteSimpleString("QUEUED"u8);
    }
}
