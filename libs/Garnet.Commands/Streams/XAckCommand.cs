// XACK key group id [id ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Acknowledges pending entries of a group, and replies with the number of those that were pending.</summary>
internal static class XAckCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XACK",
        Arity = -4,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!StreamKey.TryOpenForReading(ref context, 1, out StreamValue stream))
            return;
        long acknowledged = 0;
        if (stream.Exists && stream.View.TryGetGroup(context[2], out StreamGroup group))
        {
            long number = group.Number;
            if (!XDelCommand.TryCheckIds(ref context, 3))
                return;
            for (int i = 3; i < context.Count; i++)
            {
                StreamIdText.TryParse(context[i], 0, out StreamId id);
                acknowledged += stream.Acknowledge(number, id) ? 1 : 0;
            }
        }

        context.CountChanges(acknowledged);
        context.Reply.WriteInteger(acknowledged);
    }
}
