// XINFO CONSUMERS key group
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Replies with a map of properties for each consumer of a group.</summary>
internal static class XInfoConsumersCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "CONSUMERS",
        Arity = 4,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!XInfoCommand.TryOpen(ref context, out StreamValue stream))
            return;
        if (!stream.View.TryGetGroup(context[3], out StreamGroup group))
        {
            StreamKey.WriteNoGroupForKey(ref context, 2, 3);
            return;
        }

        context.Reply.WriteArray(group.Consumers);
        foreach (StreamConsumer consumer in group)
        {
            context.Reply.WriteMap(4);
            context.Reply.WriteBulk("name"u8);
            context.Reply.WriteBulk(consumer.Name);
            context.Reply.WriteBulk("pending"u8);
            context.Reply.WriteInteger(consumer.Pending);
            context.Reply.WriteBulk("idle"u8);
            context.Reply.WriteInteger(Math.Max(context.RunningNowMs - consumer.SeenTimeMs, 0));
            context.Reply.WriteBulk("inactive"u8);
            context.Reply.WriteInteger(consumer.ActiveTimeMs == -1 ? -1 : context.RunningNowMs - consumer.ActiveTimeMs);
        }
    }
}
