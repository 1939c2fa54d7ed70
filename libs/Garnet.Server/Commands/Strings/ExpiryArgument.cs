// Turns the expiry that a command was given into an absolute time. Stateless.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Strings;

/// <summary>Reads EX, PX, EXAT and PXAT arguments.</summary>
internal static class ExpiryArgument
{
    /// <summary>
    /// Reads an expiry as Unix milliseconds, greater than zero; writes the error and returns false when the argument is invalid.
    /// </summary>
    /// <param name="context">The command.</param>
    /// <param name="index">Argument index of the number.</param>
    /// <param name="options">Reports unit and meaning: one of Ex, Px, ExAt, PxAt.</param>
    /// <param name="expiresAtMs">Receives the time.</param>
    public static bool TryRead(ref CommandContext context, int index, StringOption options, out long expiresAtMs)
    {
        if (!context.TryGetInteger(index, out expiresAtMs))
            return false;
        bool seconds = (options & (StringOption.Ex | StringOption.ExAt)) != 0;
        bool relative = (options & (StringOption.Ex | StringOption.Px)) != 0;
        if (expiresAtMs > 0 && !(seconds && expiresAtMs > long.MaxValue / 1000))
        {
            if (seconds)
                expiresAtMs *= 1000;
            if (relative)
                expiresAtMs = unchecked(expiresAtMs + context.NowMs);
            if (expiresAtMs > 0)
                return true;
        }

        context.Reply.WriteError($"ERR invalid expire time in '{context.Command.FullName}' command");
        return false;
    }
}
