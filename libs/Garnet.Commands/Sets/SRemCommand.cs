// SREM key member [member ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Removes members of a set, and the key if none are left, and replies with the number of members removed.</summary>
internal static class SRemCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SREM",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Set,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!SetKey.TryOpen(ref context, 1, out SetValue set))
            return;
        int removed = 0;
        for (int i = 2; i < context.Count && set.Exists; i++)
        {
            if (set.Remove(context[i]))
                removed++;
        }

        if (removed > 0)
            context.Notify(SetEvents.Remove, 1);
        context.CountChanges(removed);
        context.Reply.WriteInteger(removed);
    }
}
