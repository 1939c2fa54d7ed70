// What a command passes on instead of its request. The thread that executes it, while its keys are latched.
using Garnet.Engine.Requests;

namespace Garnet.Engine.Execution;

/// <summary>Describes the effects of a command.</summary>
internal static class ContextEffects
{
    extension(ref CommandContext context)
    {
        /// <summary>Size of the effects that can still be passed to the sink in one piece.</summary>
        public long FreeEffectBytes =>
            context.HasSink
                ? context.Client.Executor.Gates.Size.MaxEffectBytes
                    - context.Client.Propagation.Bytes
                    - (context.Client.Transactions.Executed?.ArgumentBytes ?? 0)
                : long.MaxValue;

        /// <summary>
        /// Checks that effects of this size can be passed to the sink in one piece with those of the rest of the transaction; otherwise
        /// writes the error. For effects that are larger than the request; to be called before anything is changed.
        /// </summary>
        /// <param name="bytes">Arguments with their headers: at most <see cref="EffectBuffer.ArgumentOverheadBytes"/> each.</param>
        public bool TryReserveEffects(long bytes)
        {
            if (bytes <= context.FreeEffectBytes)
                return true;
            context.Reply.WriteError(ErrorText.TooLong);
            return false;
        }

        /// <summary>
        /// The command changed keys but must not be passed to the sink verbatim; effects added after this call replace it (none: nothing is
        /// propagated).
        /// </summary>
        public void SuppressEffect() => context.EffectsGiven = true;

        /// <summary>Propagates the command in its present form, whether or not it changed anything.</summary>
        public void KeepEffect()
        {
            context.EffectsGiven = true;
            if (!context.HasSink)
                return;
            ReadOnlySpan<byte> name = context.Command.IsRenamed ? (context.Command.Parent ?? context.Command).FullNameBytes : context[0];
            EffectBuffer effect = context.Client.Propagation.Effects.Begin(context.Count).Add(name);
            for (int i = 1; i < context.Count; i++)
                effect.Add(context[i]);
        }

        /// <summary>
        /// Passes this effect to the sink instead of the command as it was sent. May be called several times; effects keep their order.
        /// </summary>
        public void ReplaceEffect(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> argument1)
        {
            context.EffectsGiven = true;
            if (context.HasSink)
                context.Client.Propagation.Effects.Begin(2).Add(name).Add(argument1);
        }

        /// <summary>The same with more arguments.</summary>
        public void ReplaceEffect(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> argument1, scoped ReadOnlySpan<byte> argument2)
        {
            context.EffectsGiven = true;
            if (context.HasSink)
                context.Client.Propagation.Effects.Begin(3).Add(name).Add(argument1).Add(argument2);
        }

        /// <summary>The same with more arguments.</summary>
        public void ReplaceEffect(
            scoped ReadOnlySpan<byte> name,
            scoped ReadOnlySpan<byte> argument1,
            scoped ReadOnlySpan<byte> argument2,
            scoped ReadOnlySpan<byte> argument3
        )
        {
            context.EffectsGiven = true;
            if (context.HasSink)
                context.Client.Propagation.Effects.Begin(4).Add(name).Add(argument1).Add(argument2).Add(argument3);
        }

        /// <summary>The same with more arguments.</summary>
        public void ReplaceEffect(
            scoped ReadOnlySpan<byte> name,
            scoped ReadOnlySpan<byte> argument1,
            scoped ReadOnlySpan<byte> argument2,
            scoped ReadOnlySpan<byte> argument3,
            scoped ReadOnlySpan<byte> argument4
        )
        {
            context.EffectsGiven = true;
            if (context.HasSink)
                context.Client.Propagation.Effects.Begin(5).Add(name).Add(argument1).Add(argument2).Add(argument3).Add(argument4);
        }

        /// <summary>
        /// An effect of any length: <c>BeginEffect(n).Add(a).Add(b)...</c> with exactly n additions. Only when
        /// <see cref="CommandContext.HasSink"/>.
        /// </summary>
        public EffectBuffer BeginEffect(int argumentCount)
        {
            context.EffectsGiven = true;
            return context.Client.Propagation.Effects.Begin(argumentCount);
        }
    }
}
