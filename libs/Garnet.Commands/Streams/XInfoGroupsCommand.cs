// XINFO GROUPS key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Replies with a map of properties for each group of a stream.</summary>
internal static class XInfoGroupsCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GROUPS",
        Arity = 3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!XInfoCommand.TryOpen(ref context, out StreamValue stream))
            return;
        StreamView view = stream.View;
        StreamProgress progress = new(in view);
        context.Reply.WriteArray(view.GroupCount);
        foreach (StreamGroup group in view.Groups)
        {
            context.Reply.WriteMap(6);
            context.Reply.WriteBulk("name"u8);
            context.Reply.WriteBulk(group.Name);
            context.Reply.WriteBulk("consumers"u8);
            context.Reply.WriteInteger(group.Consumers);
            context.Reply.WriteBulk("pending"u8);
            context.Reply.WriteInteger(group.Pending);
            GroupInfo.WriteLastId(ref context, in group);
            GroupInfo.WriteProgress(ref context, in group, in progress);
        }
    }
}
