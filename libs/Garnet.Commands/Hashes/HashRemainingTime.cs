// Shared implementation of HTTL, HPTTL, HEXPIRETIME and HPEXPIRETIME. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with the expiries of fields: -2 for a field that does not exist, -1 for one without an expiry.</summary>
internal static class HashRemainingTime
{
    /// <summary>Executes <c>name key FIELDS numfields field [field ...]</c>.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="baseMs">Unix time in milliseconds that the reply is relative to.</param>
    /// <param name="isSeconds">Whether the reply is in seconds, rounded.</param>
    public static void Execute(ref CommandContext context, long baseMs, bool isSeconds)
    {
        if (
            !FieldArguments.TryParse(ref context, ErrorText.Syntax, out FieldArguments fields)
            || !HashKey.TryOpenForReading(ref context, out HashValue hash)
        )
        {
            return;
        }

        context.Reply.WriteArray(fields.Count);
        for (int i = fields.First; i < context.Count; i++)
        {
            if (!hash.TryGet(context[i], out _, out long expiresAtMs))
                context.Reply.WriteInteger(-2);
            else if (expiresAtMs < 0)
                context.Reply.WriteInteger(-1);
            else
                context.Reply.WriteInteger(Rounded(Math.Max(0, expiresAtMs - baseMs), isSeconds));
        }
    }

    private static long Rounded(long ms, bool isSeconds) => isSeconds ? (long)(((ulong)ms + 500) / 1000) : ms;
}
