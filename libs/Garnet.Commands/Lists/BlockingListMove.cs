// Shared implementation of BLMOVE and BRPOPLPUSH. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store;

namespace Garnet.Commands.Lists;

/// <summary>Moves an element, or waits for one.</summary>
internal static class BlockingListMove
{
    /// <summary>
    /// Moves an element and replies with it or with an error; false if there is none, so that the command waits, unless it may not.
    /// </summary>
    public static bool TryMove(ref CommandContext context, ListEnd from, ListEnd to, long deadlineMs)
    {
        if (!context.MustQueue(1, 1) && ListMove.TryMove(ref context, from, to, hasLooked: true))
            return true;
        if (context.MayBlock)
            context.Block(RecordType.List, 1, 1, deadlineMs);
        else
            context.Reply.WriteNull();
        return false;
    }
}
