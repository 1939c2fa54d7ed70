// Shared implementation of DEL and UNLINK. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>Removes the keys that are a command's arguments, all at one moment, and replies how many there were.</summary>
internal static class KeyRemoval
{
    public static void Execute(ref CommandContext context)
    {
        int keys = context.Count - 1;
        if (keys > 1)
            context.LatchKeys(1, 1, keys);
        int removed = 0;
        for (int i = 1; i <= keys; i++)
        {
            context.PrefetchAfter(i, 1, context.Count);
            RecordHandle record = context.Open(i);
            if (record.Delete())
                removed++;
        }

        context.CountChanges(removed);
        context.Reply.WriteInteger(removed);
    }
}
