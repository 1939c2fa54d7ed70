// XREAD [COUNT count] [BLOCK milliseconds] STREAMS key [key ...] id [id ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Replies with the entries of streams after given IDs, or waits for one.</summary>
internal static class XReadCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XREAD",
        Arity = -4,
        Flags = CommandFlags.Blocking | CommandFlags.ReadOnly,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.KeywordRange("STREAMS", 1, -1, 1, KeySpecFlags.RO | KeySpecFlags.Access, 2)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!StreamReadArguments.TryParse(ref context, hasGroup: false, out StreamReadArguments arguments))
            return;
        context.LatchKeys(arguments.FirstKey, 1, arguments.Keys);
        int served = 0;
        for (int i = 0; i < arguments.Keys; i++)
        {
            int key = arguments.FirstKey + i;
            if (
                !StreamKey.TryOpenForReading(ref context, key, out StreamValue stream)
                || !TryGetId(ref context, key + arguments.Keys, stream.View, out StreamId id)
            )
            {
                return;
            }

            served += EntryReply.HasAfter(stream.View, id) ? 1 : 0;
            stream.Record.Usage.UseAgain();
        }

        // Valkey looks up each of the keys once more to read it.
        for (int key = arguments.FirstKey; key < arguments.FirstKey + arguments.Keys; key++)
            context.CountLookup(context.OpenUntouched(key).Exists, key);

        if (served > 0)
            Reply(ref context, in arguments, served);
        else if (arguments.IsBlocking && context.MayBlock)
            Wait(ref context, in arguments);
        else
            context.Reply.WriteNullArray();
    }

    private static bool TryGetId(ref CommandContext context, int index, scoped in StreamView view, out StreamId id)
    {
        bool isLast = context.Is(index, "+"u8);
        if (isLast || context.Is(index, "$"u8))
        {
            // "+" asks for the last entry, so reading starts right before it.
            id =
                !isLast ? view.LastId
                : view.Length > 0 ? StreamIdText.Previous(view.LastId)
                : StreamId.Min;
            return true;
        }

        if (!context.Is(index, ">"u8))
            return StreamIdText.TryGet(ref context, index, out id);
        id = default;
        context.Reply.WriteError("ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option."u8);
        return false;
    }

    private static void Reply(ref CommandContext context, in StreamReadArguments arguments, int served)
    {
        bool isMap = context.Reply.ProtocolVersion > 2;
        if (isMap)
            context.Reply.WriteMap(served);
        else
            context.Reply.WriteArray(served);
        for (int i = 0; i < arguments.Keys; i++)
        {
            int key = arguments.FirstKey + i;
            StreamView view = new StreamValue(context.OpenUntouched(key)).View;
            TryGetId(ref context, key + arguments.Keys, in view, out StreamId id);
            if (!EntryReply.HasAfter(in view, id))
                continue;
            if (!isMap)
                context.Reply.WriteArray(2);
            context.Reply.WriteBulk(context[key]);
            EntryReply.WriteRange(ref context.Reply, in view, StreamIdText.Next(id), StreamId.Max, arguments.Count);
        }
    }

    // While the command waits, "$" means the last entry as of now.
    private static void Wait(ref CommandContext context, in StreamReadArguments arguments)
    {
        BlockedCommand blocked = context.Block(RecordType.Stream, arguments.FirstKey, arguments.Keys, arguments.DeadlineMs);
        Span<byte> text = stackalloc byte[StreamIdText.MaxBytes];
        for (int i = 0; i < arguments.Keys; i++)
        {
            int key = arguments.FirstKey + i;
            if (!context.Is(key + arguments.Keys, "$"u8))
                continue;
            StreamView view = new StreamValue(context.OpenUntouched(key)).View;
            blocked.SetArgument(key + arguments.Keys, text[..StreamIdText.Format(view.LastId, text)]);
        }
    }
}
