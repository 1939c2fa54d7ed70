// Parses the sliding expiry in the arguments of SET and GETEX. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store.Records;

namespace Garnet.Commands.Strings;

/// <summary>Parses SLIDING and FROM arguments.</summary>
internal static class SlidingArguments
{
    /// <summary>Parses a sliding expiry; writes the error and returns false if an argument is invalid.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="options">The parsed options, which include SLIDING.</param>
    /// <param name="limitMs">Unix milliseconds of an additional absolute expiry, which limits the sliding one; -1 for none.</param>
    /// <param name="sliding">Receives the sliding expiry.</param>
    /// <param name="fromMs">Receives the time from which the sliding expiry counts.</param>
    public static bool TryRead(
        ref CommandContext context,
        in StringOptions options,
        long limitMs,
        out SlidingExpiry sliding,
        out long fromMs
    )
    {
        sliding = default;
        fromMs = 0;
        if (!context.TryGetInteger(options.SlidingIndex, out long milliseconds) || !TryReadFrom(ref context, options, out fromMs))
            return false;
        if (milliseconds <= 0 || milliseconds > long.MaxValue - fromMs)
        {
            context.Reply.WriteError($"ERR invalid expire time in '{context.Command.FullName}' command");
            return false;
        }

        sliding = new SlidingExpiry(milliseconds, limitMs < 0 ? SlidingExpiry.NoLimit : limitMs);
        return true;
    }

    /// <summary>Parses the time of a renewal, by default now; writes the error and returns false if the argument is not a time.</summary>
    public static bool TryReadFrom(ref CommandContext context, in StringOptions options, out long fromMs)
    {
        fromMs = context.RunningNowMs;
        if (!options.Has(StringOption.From))
            return true;
        if (!context.TryGetInteger(options.FromIndex, out fromMs))
            return false;
        if (fromMs > 0)
            return true;
        context.Reply.WriteError($"ERR invalid expire time in '{context.Command.FullName}' command");
        return false;
    }
}
