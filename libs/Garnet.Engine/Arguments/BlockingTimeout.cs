// The timeout argument of blocking commands. Stateless.
using Garnet.Engine.Execution;
using Garnet.Protocol;

namespace Garnet.Engine.Arguments;

/// <summary>Parses a timeout and converts it to a deadline.</summary>
internal static class BlockingTimeout
{
    private const double MsPerSecond = 1000;
    private const double TooManyMs = 9223372036854775808.0;

    /// <summary>Parses seconds, fractions allowed; writes Valkey's error and returns false when they are invalid.</summary>
    /// <param name="context">The call.</param>
    /// <param name="index">Index of the argument.</param>
    /// <param name="deadlineMs">Receives the deadline in Unix milliseconds; 0 for none.</param>
    public static bool TryGetSeconds(ref CommandContext context, int index, out long deadlineMs)
    {
        deadlineMs = 0;
        if (!LongDoubleText.TryParse(context[index], out LongDouble seconds))
        {
            context.Reply.WriteError("ERR timeout is not a float or out of range"u8);
            return false;
        }

        double ms = Math.Ceiling(seconds.ToDouble() * MsPerSecond);
        if (ms >= TooManyMs)
        {
            context.Reply.WriteError("ERR timeout is out of range"u8);
            return false;
        }

        return TryGetDeadline(ref context, ms < 0 ? -1 : (long)ms, out deadlineMs);
    }

    /// <summary>Parses milliseconds; otherwise as <see cref="TryGetSeconds"/>.</summary>
    public static bool TryGetMilliseconds(ref CommandContext context, int index, out long deadlineMs)
    {
        deadlineMs = 0;
        if (IntegerText.TryParse(context[index], out long ms))
            return TryGetDeadline(ref context, ms, out deadlineMs);
        context.Reply.WriteError("ERR timeout is not an integer or out of range"u8);
        return false;
    }

    private static bool TryGetDeadline(ref CommandContext context, long ms, out long deadlineMs)
    {
        deadlineMs = 0;
        long nowMs = context.Client.Executor.Time.GetUtcNow().ToUnixTimeMilliseconds();
        if (ms < 0)
            context.Reply.WriteError("ERR timeout is negative"u8);
        else if (ms > long.MaxValue - nowMs)
            context.Reply.WriteError("ERR timeout is out of range"u8);
        else
            deadlineMs = ms == 0 ? 0 : ms + nowMs;
        return deadlineMs != 0 || ms == 0;
    }
}
