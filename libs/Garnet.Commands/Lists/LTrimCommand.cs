// LTRIM key start stop
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Removes all elements outside a range of indexes.</summary>
internal static class LTrimCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LTRIM",
        Arity = 4,
        Flags = CommandFlags.Write,
        Group = CommandGroup.List,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !context.TryGetInteger(2, out long start)
            || !context.TryGetInteger(3, out long stop)
            || !ListKey.TryOpen(ref context, 1, out ListValue list)
        )
        {
            return;
        }

        if (list.Exists)
            Trim(ref context, ref list, IndexRange.Resolve(start, stop, list.Length));
        context.Reply.WriteOk();
    }

    private static void Trim(ref CommandContext context, ref ListValue list, IndexRange kept)
    {
        context.CountChanges(list.Length - kept.Count);
        if (kept.Count == 0)
            list.RemoveRange(0, list.Length);
        else
            list.Trim(kept.First, kept.Count);
        // As in Valkey also when nothing was trimmed.
        context.Notify(ListEvents.Trim, 1);
    }
}
