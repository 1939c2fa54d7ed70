// XGROUP SETID key group id | $ [ENTRIESREAD entries-read]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Sets the last delivered ID of a group.</summary>
internal static class XGroupSetIdCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SETID",
        Arity = -5,
        Flags = CommandFlags.Write,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private const int MaxArguments = 7;

    private static void Execute(ref CommandContext context)
    {
        if (
            !GroupKey.TryParseOptions(ref context, isCreating: false, out _, out long entriesRead)
            || !GroupKey.TryOpenWithGroup(ref context, out StreamValue stream, out long group)
        )
        {
            return;
        }

        if (context.Count > MaxArguments)
        {
            StreamKey.WriteSubcommandError(ref context, "XGROUP");
            return;
        }

        StreamId id = stream.View.LastId;
        if (!context.Is(4, "$"u8) && !StreamIdText.TryGetAny(ref context, 4, 0, out id))
            return;
        stream.SetGroup(group, id, entriesRead);
        context.Notify(StreamEvents.GroupSetId, 2);
        context.Reply.WriteOk();
    }
}
