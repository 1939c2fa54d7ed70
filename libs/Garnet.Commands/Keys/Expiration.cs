// Shared implementation of EXPIRE, PEXPIRE, EXPIREAT and PEXPIREAT. Stateless.
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Sets when a key expires. The effect is always PEXPIREAT with an absolute time, or DEL if that time has passed.</summary>
internal static class Expiration
{
    public const long MsPerSecond = 1000;

    /// <summary>Executes <c>name key time [condition ...]</c>.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="baseMs">Unix time in milliseconds that the argument is relative to.</param>
    /// <param name="unitMs">Milliseconds per unit of the argument.</param>
    public static void Execute(ref CommandContext context, long baseMs, long unitMs)
    {
        if (
            !TryGetConditions(ref context, 3, context.Count, out ExpireConditions conditions)
            || !TryGetMoment(ref context, baseMs, unitMs, out long expiresAtMs)
        )
        {
            return;
        }

        RecordHandle record = context.Open(1);
        if (!record.Exists || !Allows(conditions, record.ExpiresAtMs, expiresAtMs))
        {
            context.Reply.WriteInteger(0);
            return;
        }

        if (context.HasPassed(expiresAtMs))
        {
            context.NotifyInsteadOfDel(KeyEvent.Expired);
            record.Expire();
            context.ReplaceEffect("DEL"u8, context[1]);
        }
        else
        {
            record.SetExpiry(expiresAtMs);
            if (context.HasSink)
                context.BeginEffect(3).Add("PEXPIREAT"u8).Add(context[1]).Add(expiresAtMs);
        }

        context.Reply.WriteInteger(1);
    }

    /// <summary>
    /// Parses the arguments in the range [first, end) as conditions; writes the error and returns false if they are invalid.
    /// </summary>
    public static bool TryGetConditions(ref CommandContext context, int first, int end, out ExpireConditions conditions)
    {
        conditions = ExpireConditions.None;
        for (int i = first; i < end; i++)
        {
            ExpireConditions condition = ConditionAt(ref context, i);
            if (condition == ExpireConditions.None)
            {
                ArgumentText.WriteError(ref context, $"ERR Unsupported option {ArgumentText.Printable(context[i])}");
                return false;
            }

            conditions |= condition;
        }

        if ((conditions & ExpireConditions.IfNone) != 0 && conditions != ExpireConditions.IfNone)
        {
            context.Reply.WriteError("ERR NX and XX, GT or LT options at the same time are not compatible"u8);
            return false;
        }

        const ExpireConditions both = ExpireConditions.IfLater | ExpireConditions.IfEarlier;
        if ((conditions & both) != both)
            return true;
        context.Reply.WriteError("ERR GT and LT options at the same time are not compatible"u8);
        return false;
    }

    private static ExpireConditions ConditionAt(ref CommandContext context, int index)
    {
        if (context.Is(index, "NX"u8))
            return ExpireConditions.IfNone;
        if (context.Is(index, "XX"u8))
            return ExpireConditions.IfSome;
        if (context.Is(index, "GT"u8))
            return ExpireConditions.IfLater;
        return context.Is(index, "LT"u8) ? ExpireConditions.IfEarlier : ExpireConditions.None;
    }

    // Negative times are valid and in the past; times that overflow are invalid.
    private static bool TryGetMoment(ref CommandContext context, long baseMs, long unitMs, out long expiresAtMs)
    {
        if (!context.TryGetInteger(2, out expiresAtMs))
            return false;
        if (expiresAtMs > long.MaxValue / unitMs || expiresAtMs < long.MinValue / unitMs || expiresAtMs * unitMs > long.MaxValue - baseMs)
        {
            context.Reply.WriteError($"ERR invalid expire time in '{context.Command.FullName}' command");
            return false;
        }

        expiresAtMs = Math.Max(0, (expiresAtMs * unitMs) + baseMs);
        return true;
    }

    /// <summary>Whether the conditions allow an expiry (-1 for none) to be replaced by another.</summary>
    public static bool Allows(ExpireConditions conditions, long currentMs, long newMs)
    {
        if ((conditions & ExpireConditions.IfNone) != 0 && currentMs >= 0)
            return false;
        if ((conditions & ExpireConditions.IfSome) != 0 && currentMs < 0)
            return false;
        if ((conditions & ExpireConditions.IfLater) != 0 && (currentMs < 0 || newMs <= currentMs))
            return false;
        return (conditions & ExpireConditions.IfEarlier) == 0 || currentMs < 0 || newMs < currentMs;
    }
}
