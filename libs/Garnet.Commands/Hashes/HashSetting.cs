// Shared implementation of HSET and HMSET. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Sets the field-value pairs from argument 2 on.</summary>
internal static class HashSetting
{
    /// <summary>Sets the pairs; writes the error and returns false if the arguments are not pairs or the key holds another type.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="added">Number of new fields.</param>
    public static bool TrySetPairs(ref CommandContext context, out int added)
    {
        added = 0;
        if (context.Count % 2 != 0)
        {
            context.WriteArityError();
            return false;
        }

        if (!HashKey.TryOpen(ref context, out HashValue hash))
            return false;
        hash.Expect((context.Count / 2) - 1, hash.Exists ? 0 : BytesOfPairs(in context));
        long expired = context.Store.Slot.ExpiredFields;
        for (int i = 2; i < context.Count; i += 2)
        {
            if (hash.Set(context[i], context[i + 1]))
                added++;
            context.ReleaseBefore(i + 2);
        }

        HashEvents.NotifyOverwritten(in context, HashEvents.Set, expired);
        context.CountChanges((context.Count / 2) - 1);
        return true;
    }

    private static long BytesOfPairs(in CommandContext context)
    {
        long bytes = 0;
        for (int i = 2; i < context.Count; i++)
            bytes += HashValue.SizeOf(context[i]);
        return bytes;
    }
}
