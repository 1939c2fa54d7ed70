// How an effect is executed again, from a log or a primary's stream. Stateless; used inside a batch, without a latch.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Store.Eviction;
using Garnet.Store.Tiering;

namespace Garnet.Server.Persistence.Replay;

/// <summary>An effect waits where a client's command would, but is never refused and never skipped.</summary>
internal static class ReplayedEffect
{
    /// <summary>What to wait for outside of the batch before the effect may take memory; null when it may now.</summary>
    /// <param name="context">The effect, whose command is set.</param>
    /// <param name="patience">That of whoever replays.</param>
    public static Task? MemoryRelief(ref CommandContext context, ref ReliefPatience patience) =>
        (context.Command.Flags & CommandFlags.DenyOom) != 0 ? context.Store.Memory.Relief(context.ArgumentBytes, ref patience) : null;

    /// <summary>Executes the effect in the context. If the answer is to wait, its client has what for, and it is executed again.</summary>
    /// <exception cref="LostEffectException">It cannot be executed: the data would lack it.</exception>
    public static Admission Run(ref Batch batch)
    {
        ref CommandContext context = ref batch.Context;
        try
        {
            Admission admission = batch.ExecuteResolved();
            // What is no effect, or none within a transaction, changes nothing where it came from either.
            bool isHarmless = context.Refusal.Kind is RefusalKind.NoEffect or RefusalKind.NotInTransaction;
            if (admission != Admission.Reject || isHarmless)
                return admission;
            string reason = Encoding.Latin1.GetString(RefusalText.Of(ref context, context.Command, context.Refusal));
            throw new LostEffectException($"{context.Command.FullName}: {reason}");
        }
        catch (ColdValueException e)
        {
            throw new LostEffectException($"{context.Command.FullName}: {e.Message}");
        }
    }
}
