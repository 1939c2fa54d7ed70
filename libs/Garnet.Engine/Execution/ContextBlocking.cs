// Commands that wait for keys. The thread that executes them.
using Garnet.Store;

namespace Garnet.Engine.Execution;

/// <summary>Lets a command wait.</summary>
internal static class ContextBlocking
{
    extension(ref CommandContext context)
    {
        /// <summary>False where a command that finds nothing must reply at once: inside a transaction, and during log replay.</summary>
        public bool MayBlock => !context.Client.Transactions.IsExecuting && !context.Client.Origin.IsReplay;

        /// <summary>
        /// True where a large reply may be written in pieces while other clients are served: not inside a transaction, and not if the reply
        /// is suppressed.
        /// </summary>
        public bool MayReplyInPieces => context.MayBlock && !context.Reply.Suppressed;

        /// <summary>
        /// True when other clients already wait for one of the keys at these arguments, so that the command must queue behind them instead
        /// of taking an element.
        /// </summary>
        public bool MustQueue(int firstKey, int keys)
        {
            context.IsDeferred =
                context.MayBlock && context.Resumed is null && context.Client.Executor.Blocked.HasWaiters(in context, firstKey, keys);
            return context.IsDeferred;
        }

        /// <summary>
        /// Makes the command wait until one of its keys exists with a type, and be executed again then; the caller must write no reply.
        /// Only when it may block. A timeout replies with a null array.
        /// </summary>
        /// <param name="type">The awaited type.</param>
        /// <param name="firstKey">Argument index of the first key.</param>
        /// <param name="keys">Number of consecutive keys.</param>
        /// <param name="deadlineMs">Deadline of the wait in Unix milliseconds; 0 for none.</param>
        /// <param name="wakesWhenGone">Whether the command is also executed when a key is deleted or has another type.</param>
        public BlockedCommand Block(RecordType type, int firstKey, int keys, long deadlineMs, bool wakesWhenGone = false)
        {
            BlockedCommand blocked =
                context.Resumed
                ?? new BlockedCommand(in context, type, firstKey, keys, deadlineMs, wakesWhenGone) { IsUntried = context.IsDeferred };
            context.Suspend(blocked);
            return blocked;
        }
    }
}
