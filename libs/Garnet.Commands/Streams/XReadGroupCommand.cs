// XREADGROUP GROUP group consumer [COUNT count] [BLOCK milliseconds] [NOACK] STREAMS key [key ...] id [id ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>
/// Delivers entries that have not been delivered to the group yet and makes them pending, or replies with the consumer's pending entries,
/// or waits for a new entry.
/// </summary>
internal static class XReadGroupCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XREADGROUP",
        Arity = -7,
        Flags = CommandFlags.Blocking | CommandFlags.Write,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.KeywordRange("STREAMS", 4, -1, 1, KeySpecFlags.RO | KeySpecFlags.Access, 2)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!StreamReadArguments.TryParse(ref context, hasGroup: true, out StreamReadArguments arguments))
            return;
        context.LatchKeys(arguments.FirstKey, 1, arguments.Keys);
        long effectBytes = 0;
        for (int i = 0; i < arguments.Keys; i++)
        {
            if (!TryCheck(ref context, in arguments, arguments.FirstKey + i, ref effectBytes))
                return;
        }

        if (effectBytes > context.FreeEffectBytes && !context.TryReserveEffects(EffectBytes(ref context, in arguments)))
            return;
        context.SuppressEffect();
        DeferredReply deferred = context.Scratch.Deferred;
        deferred.Clear();
        RespWriter writer = new(deferred, context.Reply.ProtocolVersion);
        int served = 0;
        int created = 0;
        for (int i = 0; i < arguments.Keys; i++)
            served += TryServe(ref context, ref writer, in arguments, arguments.FirstKey + i, ref created) ? 1 : 0;
        context.CountChanges(served + created);
        if (served > 0)
            Reply(ref context, ref writer, served);
        else if (arguments.IsBlocking && context.MayBlock)
            context.Block(RecordType.Stream, arguments.FirstKey, arguments.Keys, arguments.DeadlineMs, wakesWhenGone: true);
        else
            context.Reply.WriteNullArray();
    }

    private static bool TryCheck(ref CommandContext context, in StreamReadArguments arguments, int key, ref long effectBytes)
    {
        if (!StreamKey.TryOpenForReading(ref context, key, out StreamValue stream))
            return false;
        long entries = arguments.Count == 0 ? stream.View.Length : Math.Min(arguments.Count, stream.View.Length);
        effectBytes += GroupEffect.ClaimBytes(ref context, key, arguments.Group, entries);
        int id = key + arguments.Keys;
        if (!stream.View.TryGetGroup(context[arguments.Group], out _))
        {
            StreamKey.WriteNoGroup(ref context, key, arguments.Group, " in XREADGROUP with GROUP option");
        }
        else if (context.Is(id, "$"u8))
        {
            context.Reply.WriteError(
                "ERR The $ ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by specifying a proper ID, or use the > ID to get new messages. The $ ID would just return an empty result set."u8
            );
        }
        else if (context.Is(id, "+"u8))
        {
            context.Reply.WriteError(
                "ERR The + ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by specifying a proper ID, or use the > ID to get new messages. The + ID would just return an empty result set."u8
            );
        }
        else
        {
            return context.Is(id, ">"u8) || StreamIdText.TryGet(ref context, id, out _);
        }

        return false;
    }

    // What the command passes to the sink: each entry delivered is an XCLAIM of its own, which repeats the names.
    private static long EffectBytes(ref CommandContext context, in StreamReadArguments arguments)
    {
        long bytes = 0;
        for (int i = 0; i < arguments.Keys; i++)
        {
            int key = arguments.FirstKey + i;
            StreamKey.TryOpenForReading(ref context, key, out StreamValue stream);
            StreamView view = stream.View;
            view.TryGetGroup(context[arguments.Group], out StreamGroup group);
            bool isHistory = StreamIdText.TryParse(context[key + arguments.Keys], 0, out StreamId after) && after != StreamId.Max;
            if (!isHistory && !arguments.IsAcknowledged)
            {
                int entries = EntryReply.Count(in view, StreamIdText.Next(group.LastId), StreamId.Max, arguments.Count);
                bytes += GroupEffect.ClaimBytes(ref context, key, arguments.Group, entries);
            }
        }

        return bytes;
    }

    private static void Reply(ref CommandContext context, ref RespWriter writer, int served)
    {
        writer.Flush();
        if (context.Reply.ProtocolVersion > 2)
            context.Reply.WriteMap(served);
        else
            context.Reply.WriteArray(served);
        context.Scratch.Deferred.MoveTo(ref context.Reply);
    }

    private static bool TryServe(
        ref CommandContext context,
        ref RespWriter writer,
        in StreamReadArguments arguments,
        int key,
        ref int created
    )
    {
        StreamKey.TryOpenForReading(ref context, key, out StreamValue stream);
        ReadOnlySpan<byte> groupName = context[arguments.Group];
        stream.View.TryGetGroup(groupName, out StreamGroup group);
        // The highest ID asks for new entries, as ">" does.
        bool isHistory = StreamIdText.TryParse(context[key + arguments.Keys], 0, out StreamId after) && after != StreamId.Max;
        StreamId last = group.LastId;
        bool isServed = isHistory || EntryReply.HasAfter(stream.View, last);

        // A resumed command that finds nothing must not change the stream, which would wake blocked clients, including itself.
        if (!isServed && context.Resumed is not null)
            return false;
        long number = group.Number;
        bool isNew = stream.CreateConsumer(number, context[arguments.Group + 1], context.RunningNowMs, out long consumer);
        GroupMember member = new(number, consumer);
        created += isNew ? 1 : 0;
        if (isNew)
            context.Notify(StreamEvents.ConsumerCreate, key);
        if (isNew && arguments.IsAcknowledged)
            GroupEffect.Consumer(ref context, key, groupName, context[arguments.Group + 1]);
        if (isServed)
        {
            if (writer.ProtocolVersion == 2)
                writer.WriteArray(2);
            writer.WriteBulk(context[key]);
        }

        if (isHistory)
            GroupDelivery.Repeat(ref context, ref writer, ref stream, in arguments, member, StreamIdText.Next(after));
        else if (isServed)
            GroupDelivery.Deliver(ref context, ref writer, ref stream, in arguments, key, member);
        bool isActive = isServed && !isHistory && !arguments.IsAcknowledged;
        stream.SetConsumerTimes(consumer, context.RunningNowMs, isActive ? context.RunningNowMs : -1);
        return isServed;
    }
}
