// Shared implementation of DEL and UNLINK. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Removes the keys in a command's arguments atomically, and replies with the number of keys removed.</summary>
internal static class KeyRemoval
{
    public static void Execute(ref CommandContext context)
    {
        int keys = context.Count - 1;
        ReadOnlySpan<KeyReference> hashed = keys > 1 ? context.LatchKeys(1, 1, keys) : default;
        int removed = 0;
        for (int i = 1; i <= keys; i++)
        {
            RecordHandle record = keys > 1 ? context.Open(i, hashed, i - 1) : context.Open(i);
            if (record.Delete())
                removed++;
        }

        context.CountChanges(removed);
        context.Reply.WriteInteger(removed);
    }
}
