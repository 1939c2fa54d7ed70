// MSETEX numkeys key value [key value ...] [NX | XX] [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds |
// KEEPTTL]
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Sets several keys to strings with a common expiry, optionally only if all or none of them exist.</summary>
internal static class MSetExCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MSETEX",
        Arity = -4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.String,
        Traits = CommandTraits.NeedsNewReplicas,
        Since = "9.1.0",
        Keys = [KeySpec.Counted(1, 0, 1, 2, KeySpecFlags.OW | KeySpecFlags.Update)],
        Tips = ["request_policy:multi_shard", "response_policy:all_succeeded"],
        Event = KeyEvent.Set,
        Handler = Execute,
    };

    private const int FirstKey = 2;

    // Of SET key value PXAT time: five headers, the words and the digits.
    private const int MaxOverheadBytes = (5 * EffectBuffer.ArgumentOverheadBytes) + 32;
    private const StringOption Allowed = StringOption.Nx | StringOption.Xx | StringOption.KeepTtl | StringOption.AnyExpiry;

    private static void Execute(ref CommandContext context)
    {
        if (!IntegerText.TryParse(context[1], out long keys) || keys is < 1 or > int.MaxValue)
        {
            context.Reply.WriteError("ERR invalid numkeys value or out of range"u8);
            return;
        }

        long firstOption = FirstKey + (keys * 2);
        if (firstOption > context.Count)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        if (!StringOptions.TryParse(ref context, Allowed, (int)firstOption, out StringOptions options))
            return;
        long expiresAtMs = -1;
        if (options.HasExpiry && !ExpiryArgument.TryRead(ref context, options.ExpiryIndex, options.Given, out expiresAtMs))
            return;
        // The effect of a short key and value is longer than they are.
        bool isEach = options.HasExpiry || options.Has(StringOption.KeepTtl);
        if (isEach && !context.TryReserveEffects(context.ArgumentBytes + (keys * MaxOverheadBytes)))
            return;
        ReadOnlySpan<KeyReference> hashed = context.LatchKeys(FirstKey, 2, (int)keys);
        bool met = IsMet(in context, in options, hashed);
        if (met)
            Store(ref context, in options, hashed, expiresAtMs);
        context.Reply.WriteInteger(met ? 1 : 0);
    }

    private static bool IsMet(in CommandContext context, in StringOptions options, ReadOnlySpan<KeyReference> hashed)
    {
        if (!options.Has(StringOption.Nx | StringOption.Xx))
            return true;
        bool mustExist = options.Has(StringOption.Xx);
        for (int key = 0; key < hashed.Length; key++)
        {
            if (context.Open(FirstKey + (key * 2), hashed, key).Exists != mustExist)
                return false;
        }

        return true;
    }

    private static void Store(ref CommandContext context, in StringOptions options, ReadOnlySpan<KeyReference> hashed, long expiresAtMs)
    {
        if (options.HasExpiry)
            context.NotifyEach(KeyEvent.Expire);
        bool keep = options.Has(StringOption.KeepTtl);
        int end = FirstKey + (hashed.Length * 2);
        for (int i = FirstKey; i < end; i += 2)
        {
            RecordHandle record = context.Open(i, hashed, (i - FirstKey) / 2);
            if (keep)
                context.SetString(ref record, i + 1, record.ExpiresAtMs, record.Sliding);
            else
                context.SetString(ref record, i + 1, expiresAtMs);
            if (options.HasExpiry)
                SetEffect.WithExpiry(ref context, i, i + 1, expiresAtMs);
            else if (keep)
                SetEffect.KeepingExpiry(ref context, i, context[i + 1]);
            context.ReleaseBefore(i + 2);
        }

        context.CountChanges((end - FirstKey) / 2);
        if (!options.HasExpiry && !keep)
            DescribePlain(ref context, end);
    }

    // Replicas of older versions do not know the command.
    private static void DescribePlain(ref CommandContext context, int end)
    {
        if (!context.HasSink)
            return;
        EffectBuffer effect = context.BeginEffect(1 + end - FirstKey).Add("MSET"u8);
        for (int i = FirstKey; i < end; i++)
            effect.Add(context[i]);
    }
}
