// What commands that set a string hand to the write sink when their own arguments would not give the same result again. Stateless.
namespace Garnet.Server.Commands.Strings;

/// <summary>Describes a command's effect as a SET.</summary>
internal static class SetEffect
{
    /// <summary>SET key value PXAT time</summary>
    public static void WithExpiry(ref CommandContext context, int key, int value, long expiresAtMs)
    {
        if (context.HasSink)
            context.BeginEffect(5).Add("SET"u8).Add(context[key]).Add(context[value]).Add("PXAT"u8).Add(expiresAtMs);
    }

    /// <summary>SET key value</summary>
    public static void Plain(ref CommandContext context, int key, int value) =>
        context.ReplaceEffect("SET"u8, context[key], context[value]);

    /// <summary>SET key value KEEPTTL</summary>
    public static void KeepingExpiry(ref CommandContext context, int key, scoped ReadOnlySpan<byte> value) =>
        context.ReplaceEffect("SET"u8, context[key], value, "KEEPTTL"u8);
}
