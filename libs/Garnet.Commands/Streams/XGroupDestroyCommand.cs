// XGROUP DESTROY key group
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Removes a group with all its pending entries.</summary>
internal static class XGroupDestroyCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DESTROY",
        Arity = 4,
        Flags = CommandFlags.Write,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!GroupKey.TryOpen(ref context, mayBeMissing: false, out StreamValue stream))
            return;
        bool isDestroyed = stream.DestroyGroup(context[3]);
        if (isDestroyed)
            context.Notify(StreamEvents.GroupDestroy, 2);
        context.Reply.WriteInteger(isDestroyed ? 1 : 0);
    }
}
