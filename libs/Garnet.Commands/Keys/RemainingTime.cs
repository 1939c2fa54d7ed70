// Shared implementation of TTL, PTTL, EXPIRETIME and PEXPIRETIME. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Replies with a key's expiry: -2 if the key does not exist, -1 if it never expires.</summary>
internal static class RemainingTime
{
    private const long NoKey = -2;
    private const long NoExpiry = -1;

    /// <summary>Replies for the key at argument 1.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="sinceMs">Unix time in milliseconds that the reply is relative to.</param>
    /// <param name="inSeconds">Replies with seconds, rounded to the nearest, instead of milliseconds.</param>
    public static void Execute(ref CommandContext context, long sinceMs, bool inSeconds)
    {
        RecordInfoReader reader = default;
        bool exists = context.Store.Reads.ReadAny(context[1], context.Hash(1), ref reader) == ReadOutcome.Found;
        context.CountLookup(exists, 1);
        context.Reply.WriteInteger(exists ? Remaining(reader.Info.ExpiresAtMs, sinceMs, inSeconds) : NoKey);
    }

    private static long Remaining(long expiresAtMs, long sinceMs, bool inSeconds)
    {
        if (expiresAtMs < 0)
            return NoExpiry;
        long remainingMs = Math.Max(0, expiresAtMs - sinceMs);

        // Unsigned, so that adding 500 to a time near the maximum does not overflow.
        return inSeconds ? (long)(((ulong)remainingMs + 500) / Expiration.MsPerSecond) : remainingMs;
    }
}
