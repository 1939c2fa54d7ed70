// Converts the expiry of fields in a command's arguments to an absolute time. Stateless.
using Garnet.Commands.Keys;
using Garnet.Engine.Execution;

namespace Garnet.Commands.Hashes;

/// <summary>Parses expiries of fields.</summary>
internal static class FieldExpiryArgument
{
    /// <summary>
    /// Parses an expiry into Unix milliseconds, which may be in the past; writes the error and returns false if the argument is invalid.
    /// </summary>
    /// <param name="context">The command's context.</param>
    /// <param name="index">Index of the number among the arguments.</param>
    /// <param name="baseMs">Unix time in milliseconds that the number is relative to.</param>
    /// <param name="unitMs">Milliseconds per unit of the number.</param>
    /// <param name="expiresAtMs">Receives the time.</param>
    public static bool TryRead(ref CommandContext context, int index, long baseMs, long unitMs, out long expiresAtMs)
    {
        if (!context.TryGetInteger(index, out expiresAtMs))
            return false;
        if (expiresAtMs >= 0 && expiresAtMs <= long.MaxValue / unitMs && expiresAtMs * unitMs <= long.MaxValue - baseMs)
        {
            expiresAtMs = (expiresAtMs * unitMs) + baseMs;
            return true;
        }

        context.Reply.WriteError($"ERR invalid expire time in '{context.Command.FullName}' command");
        return false;
    }

    /// <summary>
    /// As <see cref="TryRead(ref CommandContext, int, long, long, out long)"/>, for the number after EX, PX, EXAT or PXAT.
    /// </summary>
    public static bool TryRead(ref CommandContext context, in FieldOptions options, out long expiresAtMs)
    {
        bool isRelative = options.Has(FieldOption.Ex | FieldOption.Px);
        bool isSeconds = options.Has(FieldOption.Ex | FieldOption.ExAt);
        return TryRead(
            ref context,
            options.ExpiryIndex,
            isRelative ? context.RunningNowMs : 0,
            isSeconds ? Expiration.MsPerSecond : 1,
            out expiresAtMs
        );
    }
}
