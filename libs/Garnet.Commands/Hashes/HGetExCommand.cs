// HGETEX key [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | PERSIST] FIELDS numfields field [field
// ...]
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with the values of fields and changes their expiry.</summary>
internal static class HGetExCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HGETEX",
        Arity = -5,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Traits = CommandTraits.NeedsNewReplicas,
        Since = "9.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        int word = FieldArguments.Find(in context, 1);
        FieldOptions options = default;
        if (
            (word >= 0 && !FieldOptions.TryParse(ref context, FieldOption.AnyExpiry | FieldOption.Persist, word, out options))
            || !FieldArguments.TryParseAfter(ref context, word, 1, out FieldArguments fields)
            || !HashKey.TryOpenForReading(ref context, out HashValue hash)
        )
        {
            return;
        }

        long expiresAtMs = -1;
        if (options.HasExpiry && !FieldExpiryArgument.TryRead(ref context, in options, out expiresAtMs))
            return;
        bool changes = options.Has(FieldOption.AnyExpiry | FieldOption.Persist);
        bool hasPassed = options.HasExpiry && context.HasPassed(expiresAtMs);
        ChangedFields changed = new(ref context, fields.Count);
        context.Reply.WriteArray(fields.Count);
        for (int i = fields.First; i < context.Count; i++)
        {
            if (!hash.TryGet(context[i], out ReadOnlySpan<byte> value, out long currentMs))
            {
                context.Reply.WriteNull();
                continue;
            }

            context.Reply.WriteBulk(value);
            if (!changes || (expiresAtMs < 0 && currentMs < 0))
                continue;
            if (hasPassed)
                hash.Remove(context[i]);
            else
                hash.SetExpiry(context[i], expiresAtMs);
            changed.Add(i);
        }

        KeyEvent keyEvent = options.HasExpiry ? HashEvents.Expire : HashEvents.Persist;
        if (changed.Count > 0)
            context.Notify(hasPassed ? HashEvents.Expired : keyEvent, 1);
        context.CountChanges(changed.Count);
        context.Store.Slot.ExpiredFields += hasPassed ? changed.Count : 0;
        if (changed.Count > 0 && hasPassed)
            changed.DescribeRemoval(ref context);
        else if (changed.Count > 0)
            changed.DescribeExpiry(ref context, expiresAtMs);
    }
}
