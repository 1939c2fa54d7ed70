// The effects of commands that set a string, where repeating their own arguments would not give the same result. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Records;

namespace Garnet.Commands.Strings;

/// <summary>Describes a command's effect as a SET.</summary>
internal static class SetEffect
{
    /// <summary>SET key value PXAT time</summary>
    public static void WithExpiry(ref CommandContext context, int key, int value, long expiresAtMs)
    {
        if (context.HasSink)
            context.BeginEffect(5).Add("SET"u8).Add(context[key]).Add(context[value]).Add("PXAT"u8).Add(expiresAtMs);
    }

    /// <summary>SET key value SLIDING milliseconds FROM time [PXAT limit]</summary>
    public static void Sliding(ref CommandContext context, int key, int value, in SlidingExpiry sliding, long fromMs)
    {
        if (!context.HasSink)
            return;
        bool hasLimit = sliding.LimitMs != SlidingExpiry.NoLimit;
        EffectBuffer effect = context.BeginEffect(hasLimit ? 9 : 7).Add("SET"u8).Add(context[key]).Add(context[value]);
        effect.Add("SLIDING"u8).Add(sliding.Milliseconds).Add("FROM"u8).Add(fromMs);
        if (hasLimit)
            effect.Add("PXAT"u8).Add(sliding.LimitMs);
    }

    /// <summary>SET key value</summary>
    public static void Plain(ref CommandContext context, int key, int value) =>
        context.ReplaceEffect("SET"u8, context[key], context[value]);

    /// <summary>SET key value KEEPTTL</summary>
    public static void KeepingExpiry(ref CommandContext context, int key, scoped ReadOnlySpan<byte> value) =>
        context.ReplaceEffect("SET"u8, context[key], value, "KEEPTTL"u8);
}
