// XGROUP CREATE key group id | $ [MKSTREAM] [ENTRIESREAD entries-read]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Creates a consumer group, and with MKSTREAM the stream.</summary>
internal static class XGroupCreateCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "CREATE",
        Arity = -5,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert)],
        Handler = Execute,
    };

    private const int MaxArguments = 8;

    private static void Execute(ref CommandContext context)
    {
        if (
            !GroupKey.TryParseOptions(ref context, isCreating: true, out bool isMakingStream, out long entriesRead)
            || !GroupKey.TryOpen(ref context, isMakingStream, out StreamValue stream)
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
        if (!context.Is(4, "$"u8) && !StreamIdText.TryGet(ref context, 4, out id))
            return;
        if (!stream.CreateGroup(context[3], id, entriesRead, out _))
        {
            context.Reply.WriteError("BUSYGROUP Consumer Group name already exists"u8);
            return;
        }

        context.Notify(StreamEvents.GroupCreate, 2);
        context.Reply.WriteOk();
    }
}
