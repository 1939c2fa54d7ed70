// Reads what SET and GETEX are told about a sliding expiry. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Store.Records;

namespace Garnet.Server.Commands.Strings;

/// <summary>Reads SLIDING and FROM arguments.</summary>
internal static class SlidingArguments
{
    /// <summary>Reads a sliding time; writes the error and returns false when the argument is invalid.</summary>
    /// <param name="context">The command.</param>
    /// <param name="options">Its options; SLIDING is among them.</param>
    /// <param name="limitMs">Unix milliseconds of another expiry given, which is the limit; -1 for none.</param>
    /// <param name="sliding">Receives the sliding expiry.</param>
    /// <param name="fromMs">Receives the time from which it counts.</param>
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

    /// <summary>
    /// Reads the time of a renewal, now when none is given; writes the error and returns false when the argument is no time.
    /// </summary>
    public static bool TryReadFrom(ref CommandContext context, in StringOptions options, out long fromMs)
    {
        fromMs = context.NowMs;
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
