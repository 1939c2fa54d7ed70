// XGROUP CREATECONSUMER key group consumer
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Creates a consumer in a group.</summary>
internal static class XGroupCreateConsumerCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "CREATECONSUMER",
        Arity = 5,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Stream,
        Since = "6.2.0",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!GroupKey.TryOpenWithGroup(ref context, out StreamValue stream, out long group))
            return;
        bool isNew = stream.CreateConsumer(group, context[4], context.RunningNowMs, out _);
        if (isNew)
            context.Notify(StreamEvents.ConsumerCreate, 2);
        context.Reply.WriteInteger(isNew ? 1 : 0);
    }
}
