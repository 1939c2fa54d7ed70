// HINCRBY key field increment
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Adds to the integer in a field, keeping its expiry, and replies with the sum.</summary>
internal static class HIncrByCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HINCRBY",
        Arity = 4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        scoped HashValue hash;
        if (!context.TryGetInteger(3, out long increment) || !HashKey.TryOpen(ref context, out hash))
            return;
        long value = 0;
        if (hash.TryGet(context[2], out ReadOnlySpan<byte> old, out long expiresAtMs))
        {
            if (!IntegerText.TryParse(old, out value))
            {
                context.Reply.WriteError("ERR hash value is not an integer"u8);
                return;
            }
        }
        else
        {
            expiresAtMs = -1;
        }

        if (increment < 0 ? value < long.MinValue - increment : value > long.MaxValue - increment)
        {
            context.Reply.WriteError("ERR increment or decrement would overflow"u8);
            return;
        }

        value += increment;
        Span<byte> text = stackalloc byte[IntegerText.MaxLength];
        text = text[..IntegerText.Format(value, text)];

        // Where the effect is replayed, a field that has expired here may still exist.
        if (hash.ExpiringFields > 0)
            HashSetEffect.Set(ref context, text, expiresAtMs);
        long expired = context.Store.Slot.ExpiredFields;
        hash.Set(context[2], text, expiresAtMs);
        HashEvents.NotifyOverwritten(in context, HashEvents.IncrBy, expired);
        context.Reply.WriteInteger(value);
    }
}
