// HSETEX key [NX | XX] [FNX | FXX] [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | KEEPTTL] FIELDS
// numfields field value [field value ...]
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Sets fields of a hash with a common expiry, optionally depending on the existence of the key or the fields.</summary>
internal static class HSetExCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HSETEX",
        Arity = -6,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Traits = CommandTraits.NeedsNewReplicas,
        Since = "9.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert)],
        Handler = Execute,
    };

    private const FieldOption Allowed =
        FieldOption.Nx | FieldOption.Xx | FieldOption.Fnx | FieldOption.Fxx | FieldOption.KeepTtl | FieldOption.AnyExpiry;

    private static void Execute(ref CommandContext context)
    {
        int word = FieldArguments.Find(in context, 1);
        FieldOptions options = default;
        if (
            (word >= 0 && !FieldOptions.TryParse(ref context, Allowed, word, out options))
            || !FieldArguments.TryParseAfter(ref context, word, 2, out FieldArguments fields)
            || !HashKey.TryOpen(ref context, out HashValue hash)
        )
        {
            return;
        }

        if (options.Has(hash.Exists ? FieldOption.Nx : FieldOption.Xx))
        {
            context.Reply.WriteInteger(0);
            return;
        }

        long expiresAtMs = options.Has(FieldOption.KeepTtl) ? HashValue.KeepExpiry : -1;
        if (options.HasExpiry && !FieldExpiryArgument.TryRead(ref context, in options, out expiresAtMs))
            return;
        bool isMet = IsMet(in context, in hash, in options, fields.First);
        if (isMet && options.HasExpiry && context.HasPassed(expiresAtMs))
            Remove(ref context, ref hash, fields);
        else if (isMet)
            Set(ref context, ref hash, in options, fields.First, expiresAtMs);
        context.Reply.WriteInteger(isMet ? 1 : 0);
    }

    private static bool IsMet(in CommandContext context, in HashValue hash, in FieldOptions options, int first)
    {
        if (!options.Has(FieldOption.Fnx | FieldOption.Fxx))
            return true;
        bool mustExist = options.Has(FieldOption.Fxx);
        for (int i = first; i < context.Count; i += 2)
        {
            if (hash.Contains(context[i]) != mustExist)
                return false;
        }

        return true;
    }

    private static void Remove(ref CommandContext context, ref HashValue hash, in FieldArguments fields)
    {
        bool isNew = !hash.Exists;
        if (isNew)
            context.Notify(KeyEvent.New, 1);
        ChangedFields changed = new(ref context, fields.Count);
        for (int i = fields.First; i < context.Count && hash.Exists; i += 2)
        {
            // Remove also removes a field that had already expired, but does not count it.
            long before = hash.Length;
            hash.Remove(context[i]);
            if (hash.Length != before)
                changed.Add(i);
        }

        NotifyRemoval(in context, isNew);
        context.CountChanges(changed.Count);
        // Fields that did not exist count too, as in Valkey.
        context.Store.Slot.ExpiredFields += (context.Count - fields.First) / 2;
        if (changed.Count > 0)
            changed.DescribeRemoval(ref context);
    }

    // As in Valkey, which sets the fields and removes them again.
    private static void NotifyRemoval(in CommandContext context, bool isNew)
    {
        context.Notify(HashEvents.Set, 1);
        context.Notify(HashEvents.Expire, 1);
        context.Notify(HashEvents.Expired, 1);
        if (isNew)
            context.Notify(KeyEvent.Del, 1);
    }

    private static void Set(ref CommandContext context, ref HashValue hash, in FieldOptions options, int first, long expiresAtMs)
    {
        DescribeEffect(ref context, in hash, in options, first, expiresAtMs);
        long expired = context.Store.Slot.ExpiredFields;
        for (int i = first; i < context.Count; i += 2)
            hash.Set(context[i], context[i + 1], expiresAtMs);
        HashEvents.NotifyOverwritten(in context, HashEvents.Set, expired);
        if (options.HasExpiry)
            context.Notify(HashEvents.Expire, 1);
        context.CountChanges((context.Count - first) / 2);
    }

    // The effect: the call without its conditions and with an absolute expiry, or HSET if no field has one. Where it is replayed, a field
    // that has expired here may still exist; it must be removed first, so that KEEPTTL does not keep its expiry.
    private static void DescribeEffect(ref CommandContext context, in HashValue hash, in FieldOptions options, int first, long expiresAtMs)
    {
        if (!context.HasSink)
            return;
        if (options.Has(FieldOption.KeepTtl) && hash.ExpiringFields > 0)
            DescribeMissing(ref context, in hash, first);
        bool keeps = options.Has(FieldOption.KeepTtl) && hash.ExpiringFields > 0;
        if (!options.HasExpiry && !keeps)
        {
            // All replicas know it, and it does the same.
            AddFrom(ref context, context.BeginEffect(2 + context.Count - first).Add("HSET"u8).Add(context[1]), first);
            return;
        }

        context.Client.Propagation.NeedsNewReplicas = true;
        int fieldsAndCount = context.Count - first + 2;
        EffectBuffer effect = context.BeginEffect((keeps ? 3 : 4) + fieldsAndCount).Add("HSETEX"u8).Add(context[1]);
        effect = keeps ? effect.Add("KEEPTTL"u8) : effect.Add("PXAT"u8).Add(expiresAtMs);
        AddFrom(ref context, effect, first - 2);
    }

    private static void AddFrom(ref CommandContext context, EffectBuffer effect, int first)
    {
        for (int i = first; i < context.Count; i++)
            effect.Add(context[i]);
    }

    private static void DescribeMissing(ref CommandContext context, in HashValue hash, int first)
    {
        ChangedFields missing = new(ref context, (context.Count - first) / 2);
        for (int i = first; i < context.Count; i += 2)
        {
            if (!hash.Contains(context[i]))
                missing.Add(i);
        }

        if (missing.Count > 0)
            missing.DescribeRemoval(ref context);
    }
}
