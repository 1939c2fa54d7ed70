// Turns the expiry that a command gives its fields into an absolute time. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Server.Commands.Keys;

namespace Garnet.Server.Commands.Hashes;

/// <summary>Reads expiries of fields.</summary>
internal static class FieldExpiryArgument
{
    /// <summary>
    /// Reads an expiry as Unix milliseconds; writes the error and returns false when the argument is invalid. It may have passed.
    /// </summary>
    /// <param name="context">The call.</param>
    /// <param name="index">Argument index of the number.</param>
    /// <param name="baseMs">Unix milliseconds that the number is added to.</param>
    /// <param name="unitMs">Milliseconds in the number's unit.</param>
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
            isRelative ? context.NowMs : 0,
            isSeconds ? Expiration.MsPerSecond : 1,
            out expiresAtMs
        );
    }
}
