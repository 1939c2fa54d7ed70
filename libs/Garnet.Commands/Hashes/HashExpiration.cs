// Shared implementation of HEXPIRE, HPEXPIRE, HEXPIREAT and HPEXPIREAT. Stateless.
using Garnet.Commands.Keys;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>
/// Sets when fields expire. The effect is HPEXPIREAT with an absolute time, or HDEL of the fields if that time has passed.
/// </summary>
internal static class HashExpiration
{
    private const int FirstCondition = 3;

    // The replies for each field.
    private const int Missing = -2;
    private const int Refused = 0;
    private const int Set = 1;
    private const int Removed = 2;

    /// <summary>Executes <c>name key time [condition ...] FIELDS numfields field [field ...]</c>.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="baseMs">Unix time in milliseconds that the argument is relative to.</param>
    /// <param name="unitMs">Milliseconds per unit of the argument.</param>
    public static void Execute(ref CommandContext context, long baseMs, long unitMs)
    {
        int word = FieldArguments.Find(in context, FirstCondition);
        if (
            !Expiration.TryGetConditions(ref context, FirstCondition, Math.Max(word, FirstCondition), out ExpireConditions conditions)
            || !FieldArguments.TryParseAfter(ref context, word, 1, out FieldArguments fields)
            || !FieldExpiryArgument.TryRead(ref context, 2, baseMs, unitMs, out long expiresAtMs)
            || !HashKey.TryOpen(ref context, out HashValue hash)
        )
        {
            return;
        }

        int set = 0;
        ChangedFields removals = new(ref context, fields.Count);
        context.Reply.WriteArray(fields.Count);
        for (int i = fields.First; i < context.Count; i++)
        {
            int result = Expire(in context, ref hash, context[i], conditions, expiresAtMs);
            set += result == Set ? 1 : 0;
            if (result == Removed)
                removals.Add(i);
            context.Reply.WriteInteger(result);
        }

        if (set + removals.Count > 0)
            context.Notify(removals.Count > 0 ? HashEvents.Expired : HashEvents.Expire, 1);
        context.CountChanges(set + removals.Count);
        context.Store.Slot.ExpiredFields += removals.Count;
        if (removals.Count > 0)
            removals.DescribeRemoval(ref context);
        else if (set > 0 && context.HasSink)
            Describe(ref context, expiresAtMs);
    }

    private static int Expire(
        in CommandContext context,
        ref HashValue hash,
        ReadOnlySpan<byte> field,
        ExpireConditions conditions,
        long expiresAtMs
    )
    {
        if (!hash.TryGet(field, out _, out long currentMs))
            return Missing;
        if (!Expiration.Allows(conditions, currentMs, expiresAtMs))
            return Refused;
        if (context.HasPassed(expiresAtMs))
        {
            hash.Remove(field);
            return Removed;
        }

        hash.SetExpiry(field, expiresAtMs);
        return Set;
    }

    // The effect: the call with an absolute time.
    private static void Describe(ref CommandContext context, long expiresAtMs)
    {
        context.Client.Propagation.NeedsNewReplicas = true;
        EffectBuffer effect = context.BeginEffect(context.Count).Add("HPEXPIREAT"u8).Add(context[1]).Add(expiresAtMs);
        for (int i = FirstCondition; i < context.Count; i++)
            effect.Add(context[i]);
    }
}
