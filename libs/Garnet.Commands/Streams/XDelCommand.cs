// XDEL key id [id ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Deletes entries of a stream, and replies with the number deleted.</summary>
internal static class XDelCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XDEL",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!StreamKey.TryOpen(ref context, 1, out StreamValue stream))
            return;
        long deleted = 0;
        if (stream.Exists)
        {
            if (!TryCheckIds(ref context, 2))
                return;
            for (int i = 2; i < context.Count; i++)
            {
                StreamIdText.TryParse(context[i], 0, out StreamId id);
                deleted += stream.Delete(id) ? 1 : 0;
            }
        }

        if (deleted > 0)
            context.Notify(StreamEvents.Del, 1);
        context.CountChanges(deleted);
        context.Reply.WriteInteger(deleted);
    }

    /// <summary>Validates all IDs before anything is changed; writes the error and returns false if one is invalid.</summary>
    internal static bool TryCheckIds(ref CommandContext context, int first)
    {
        for (int i = first; i < context.Count; i++)
        {
            if (!StreamIdText.TryGet(ref context, i, out _))
                return false;
        }

        return true;
    }
}
