// SADD key member [member ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Adds members to a set and replies with the number of new ones.</summary>
internal static class SAddCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SADD",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.Set,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!SetKey.TryOpen(ref context, 1, out SetValue set))
            return;
        set.Expect(context.Count - 2, context[2]);
        int added = 0;
        for (int i = 2; i < context.Count; i++)
        {
            if (set.Add(context[i]))
                added++;
            context.ReleaseBefore(i + 1);
        }

        if (added > 0)
            context.Notify(SetEvents.Add, 1);
        context.CountChanges(added);
        context.Reply.WriteInteger(added);
    }
}
