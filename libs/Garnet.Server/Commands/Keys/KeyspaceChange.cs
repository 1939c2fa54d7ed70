// Shared implementation of FLUSHDB, FLUSHALL and SWAPDB: they change all keys at once. Runs on the client's thread.
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Runs a command alone and propagates its effect before the others go on, since no latch of a key keeps their effects after it. The effect
/// is propagated even when there was nothing to change, as in Valkey.
/// </summary>
internal static class KeyspaceChange
{
    /// <summary>
    /// Checks <c>[ASYNC | SYNC]</c>: here both take constant time and the memory comes back later. Writes the error and returns false when
    /// it is anything else.
    /// </summary>
    public static bool IsFlushMode(ref CommandContext context)
    {
        if (context.Count == 1 || (context.Count == 2 && (context.Is(1, "SYNC"u8) || context.Is(1, "ASYNC"u8))))
            return true;
        context.Reply.WriteError(ErrorText.Syntax);
        return false;
    }

    /// <summary>Runs a change while no other client is inside a command, and propagates the command as it was sent.</summary>
    public static void Run(ref CommandContext context, CommandHandler change) =>
        RunWith(ref context, change, static (ref CommandContext context, CommandHandler change) => change(ref context));

    /// <summary>As <see cref="Run"/>, with something for the change to work on.</summary>
    public static void RunWith<TState>(ref CommandContext context, TState state, StateHandler<TState> change) =>
        Run(ref context, state, change, isAlwaysHandedOn: true);

    /// <summary>As <see cref="RunWith"/> for a command that may change nothing, and is then not propagated.</summary>
    public static void RunIfChanging<TState>(ref CommandContext context, TState state, StateHandler<TState> run) =>
        Run(ref context, state, run, isAlwaysHandedOn: false);

    private static void Run<TState>(ref CommandContext context, TState state, StateHandler<TState> run, bool isAlwaysHandedOn)
    {
        long before = context.Store.ChangeCount;
        context.Store.BeginExclusive();
        try
        {
            run(ref context, state);
            if (isAlwaysHandedOn || context.Store.ChangeCount != before)
                HandOn(ref context);
        }
        finally
        {
            context.Store.EndExclusive();
        }
    }

    private static void HandOn(ref CommandContext context)
    {
        context.KeepEffect();
        if (!context.Client.IsExecuting)
            CommandDispatcher.FlushEffects(context.Client);
    }

    /// <summary>What runs alone, with what it was given.</summary>
    internal delegate void StateHandler<in TState>(ref CommandContext context, TState state);
}
