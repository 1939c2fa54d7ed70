// XGROUP DELCONSUMER key group consumer
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Removes a consumer, and replies with the number of entries that were pending for it.</summary>
internal static class XGroupDelConsumerCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DELCONSUMER",
        Arity = 5,
        Flags = CommandFlags.Write,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!GroupKey.TryOpenWithGroup(ref context, out StreamValue stream, out long group))
            return;
        long pending = stream.DeleteConsumer(group, context[4]);
        if (pending >= 0)
            context.Notify(StreamEvents.ConsumerDel, 2);
        context.Reply.WriteInteger(Math.Max(pending, 0));
    }
}
