// Properties of a group in both XINFO GROUPS and XINFO STREAM FULL. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Writes single properties of the reply maps.</summary>
internal static class GroupInfo
{
    /// <summary>Writes last-delivered-id.</summary>
    public static void WriteLastId(ref CommandContext context, scoped in StreamGroup group)
    {
        context.Reply.WriteBulk("last-delivered-id"u8);
        StreamIdText.Write(ref context.Reply, group.LastId);
    }

    /// <summary>Writes entries-read and lag, null if unknown.</summary>
    public static void WriteProgress(ref CommandContext context, scoped in StreamGroup group, in StreamProgress progress)
    {
        context.Reply.WriteBulk("entries-read"u8);
        if (group.EntriesRead == -1)
            context.Reply.WriteNull();
        else
            context.Reply.WriteInteger(group.EntriesRead);
        context.Reply.WriteBulk("lag"u8);
        if (progress.TryGetLag(group.LastId, group.EntriesRead, out long lag))
            context.Reply.WriteInteger(lag);
        else
            context.Reply.WriteNull();
    }
}
