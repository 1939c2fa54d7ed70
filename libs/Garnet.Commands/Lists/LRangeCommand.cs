// LRANGE key start stop
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Replies with the elements in a range of indexes.</summary>
internal static class LRangeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LRANGE",
        Arity = 4,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.List,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !context.TryGetInteger(2, out long start)
            || !context.TryGetInteger(3, out long stop)
            || !ListKey.TryOpenForReading(ref context, out ListValue list)
        )
        {
            return;
        }

        var range = IndexRange.Resolve(start, stop, list.Length);
        if (context.MayReplyInPieces && list.TakeSnapshotIfLarge(range.Count) is { } snapshot)
        {
            context.Suspend(new ElementPieces(snapshot, range.First, range.Count));
            return;
        }

        context.Reply.WriteArray((int)range.Count);
        if (range.Count == 0)
            return;
        foreach (ReadOnlySpan<byte> element in list.Range(range.First, range.Count))
            context.Reply.WriteBulk(element);
    }
}
