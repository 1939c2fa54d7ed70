// HINCRBYFLOAT key field increment
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Adds to the number in a field, in 80-bit floating point, keeping its expiry, and replies with the sum.</summary>
internal static class HIncrByFloatCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HINCRBYFLOAT",
        Arity = 4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "2.6.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!LongDoubleText.TryParse(context[3], out LongDouble increment))
        {
            context.Reply.WriteError(ErrorText.NotFloat);
            return;
        }

        if (!increment.IsFinite)
        {
            context.Reply.WriteError("ERR value is NaN or Infinity"u8);
            return;
        }

        scoped HashValue hash;
        if (!HashKey.TryOpen(ref context, out hash))
            return;
        LongDouble value = default;
        if (!hash.TryGet(context[2], out ReadOnlySpan<byte> old, out long expiresAtMs))
        {
            expiresAtMs = -1;
        }
        else if (!LongDoubleText.TryParse(old, out value))
        {
            context.Reply.WriteError("ERR hash value is not a float"u8);
            return;
        }

        LongDouble sum = value + increment;
        if (!sum.IsFinite)
        {
            context.Reply.WriteError("ERR increment would produce NaN or Infinity"u8);
            return;
        }

        Span<byte> text = stackalloc byte[LongDoubleText.MaxLength];
        text = text[..LongDoubleText.Format(sum, text)];
        HashSetEffect.Set(ref context, text, expiresAtMs);
        long expired = context.Store.Slot.ExpiredFields;
        hash.Set(context[2], text, expiresAtMs);
        HashEvents.NotifyOverwritten(in context, HashEvents.IncrByFloat, expired);
        context.Reply.WriteBulk(text);
    }
}
