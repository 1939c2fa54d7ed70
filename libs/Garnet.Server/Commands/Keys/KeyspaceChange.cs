// What FLUSHDB, FLUSHALL and SWAPDB share: they change all keys at once. Runs on the client's thread.
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Runs a command alone and hands its effect on before the others go on, since no latch of a key keeps their effects behind it.
/// The effect is handed on even when there was nothing to change, as in Valkey.
/// </summary>
internal static class KeyspaceChange
{
    /// <summary>Checks <c>[ASYNC | SYNC]</c>: here both take constant time and the memory comes back later. Writes the error and answers false when it is anything else.</summary>
    public static bool IsFlushMode(ref CommandContext context)
    {
        if (context.Count == 1 || (context.Count == 2 && (context.Is(1, "SYNC"u8) || context.Is(1, "ASYNC"u8))))
            return true;
        context.Reply.WriteError(ErrorText.Syntax);
        return false;
    }

    /// <summary>From here to <see cref="End"/> nobody else is inside a command.</summary>
    public static void Begin(ref CommandContext context) => context.Store.BeginExclusive();

    /// <summary>Hands the command on as it was sent, and lets the others go on.</summary>
    public static void End(ref CommandContext context)
    {
        context.KeepEffect();
        if (!context.Client.IsExecuting)
            CommandDispatcher.FlushEffects(context.Client);
        context.Store.EndExclusive();
    }
}
