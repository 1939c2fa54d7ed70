// Shared implementation of FLUSHDB, FLUSHALL and SWAPDB: they change all keys at once. Runs on the client's thread.
using Garnet.Server.CommandModel;
using Garnet.Server.Execution;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Runs a command under the barrier and propagates its effect before other clients continue, because no key's latch orders their effects
/// after it. As in Valkey, the effect is propagated even if nothing changed.
/// </summary>
internal static class KeyspaceChange
{
    /// <summary>
    /// Validates <c>[ASYNC | SYNC]</c>; both take constant time here, and memory is freed later. Writes the error and returns false for
    /// anything else.
    /// </summary>
    public static bool IsFlushMode(ref CommandContext context)
    {
        if (context.Count == 1 || (context.Count == 2 && (context.Is(1, "SYNC"u8) || context.Is(1, "ASYNC"u8))))
            return true;
        context.Reply.WriteError(ErrorText.Syntax);
        return false;
    }

    /// <summary>Runs a change while no other client executes a command, and propagates the command as it was sent.</summary>
    public static void Run(ref CommandContext context, CommandHandler change) =>
        RunWith(ref context, change, static (ref CommandContext context, CommandHandler change) => change(ref context));

    /// <summary>As <see cref="Run"/>, with state for the change.</summary>
    public static void RunWith<TState>(ref CommandContext context, TState state, StateHandler<TState> change) =>
        Run(ref context, state, change, isAlwaysHandedOn: true);

    /// <summary>As <see cref="RunWith"/>, for a command that is propagated only if it changed something.</summary>
    public static void RunIfChanging<TState>(ref CommandContext context, TState state, StateHandler<TState> run) =>
        Run(ref context, state, run, isAlwaysHandedOn: false);

    private static void Run<TState>(ref CommandContext context, TState state, StateHandler<TState> run, bool isAlwaysHandedOn)
    {
        long before = context.Store.Changes.Count;
        if (!context.Server.Executor.TryBeginAlone(ref context))
            return;
        try
        {
            run(ref context, state);
            if (isAlwaysHandedOn || context.Store.Changes.Count != before)
                HandOn(ref context);
        }
        finally
        {
            context.Store.EndExclusive();
        }
    }

    private static void HandOn(ref CommandContext context)
    {
        context.Client.Propagation.Applier?.NoteApplied(context.Client);
        context.KeepEffect();
        if (!context.Client.Transactions.IsExecuting)
            CommandDispatcher.FlushEffects(context.Client);
    }

    /// <summary>A change that runs under the barrier, with its state.</summary>
    internal delegate void StateHandler<in TState>(ref CommandContext context, TState state);
}
