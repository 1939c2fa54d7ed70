// Converts the expiry in a command's arguments to an absolute time. Stateless.
using Garnet.Engine.Execution;

namespace Garnet.Commands.Strings;

/// <summary>Parses EX, PX, EXAT and PXAT arguments.</summary>
internal static class ExpiryArgument
{
    /// <summary>
    /// Parses an expiry into Unix milliseconds greater than zero; writes the error and returns false if the argument is invalid.
    /// </summary>
    /// <param name="context">The command's context.</param>
    /// <param name="index">Index of the number among the arguments.</param>
    /// <param name="options">Unit and meaning of the number: one of Ex, Px, ExAt, PxAt.</param>
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
                expiresAtMs = unchecked(expiresAtMs + context.RunningNowMs);
            if (expiresAtMs > 0)
                return true;
        }

        context.Reply.WriteError($"ERR invalid expire time in '{context.Command.FullName}' command");
        return false;
    }
}
