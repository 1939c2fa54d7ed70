// XPENDING key group [[IDLE min-idle-time] start end count [consumer]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Replies with the pending entries of a group: a summary, or the entries in a range of IDs.</summary>
internal static class XPendingCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XPENDING",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private const int MaxArguments = 9;

    private static void Execute(ref CommandContext context)
    {
        if (context.Count == 3)
        {
            ReplyWithSummary(ref context);
            return;
        }

        if (context.Count is < 6 or > MaxArguments)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        long minIdleMs = 0;
        bool hasIdle = context.Is(3, "IDLE"u8);
        if (hasIdle && !context.TryGetInteger(4, out minIdleMs))
            return;
        if (hasIdle && context.Count < 8)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        int first = hasIdle ? 5 : 3;
        if (
            context.TryGetInteger(first + 2, out long count)
            && StreamIdText.TryGetStart(ref context, first, out StreamId start)
            && StreamIdText.TryGetEnd(ref context, first + 1, out StreamId end)
        )
        {
            ReplyWithEntries(ref context, first + 3, start, end, count, minIdleMs);
        }
    }

    private static bool TryOpen(scoped ref CommandContext context, out StreamValue stream)
    {
        if (!StreamKey.TryOpenForReading(ref context, 1, out stream))
            return false;
        if (stream.View.TryGetGroup(context[2], out _))
            return true;
        StreamKey.WriteNoGroup(ref context, 1, 2);
        return false;
    }

    private static void ReplyWithSummary(ref CommandContext context)
    {
        if (!TryOpen(ref context, out StreamValue stream))
            return;
        StreamView view = stream.View;
        view.TryGetGroup(context[2], out StreamGroup group);
        context.Reply.WriteArray(4);
        context.Reply.WriteInteger(group.Pending);
        if (group.Pending == 0)
        {
            context.Reply.WriteNull();
            context.Reply.WriteNull();
            context.Reply.WriteNullArray();
            return;
        }

        StreamIdText.Write(ref context.Reply, view.FirstPending(group.Number));
        StreamIdText.Write(ref context.Reply, view.LastPending(group.Number));
        int busy = 0;
        foreach (StreamConsumer consumer in group)
            busy += consumer.Pending > 0 ? 1 : 0;
        context.Reply.WriteArray(busy);
        foreach (StreamConsumer consumer in group)
        {
            if (consumer.Pending == 0)
                continue;
            context.Reply.WriteArray(2);
            context.Reply.WriteBulk(consumer.Name);
            context.Reply.WriteBulkInteger(consumer.Pending);
        }
    }

    private static void ReplyWithEntries(
        ref CommandContext context,
        int consumerArgument,
        StreamId start,
        StreamId end,
        long count,
        long minIdleMs
    )
    {
        if (!TryOpen(ref context, out StreamValue stream))
            return;
        StreamView view = stream.View;
        view.TryGetGroup(context[2], out StreamGroup group);
        StreamConsumer consumer = default;
        bool isOfConsumer = consumerArgument < context.Count;
        if (isOfConsumer && !group.TryGetConsumer(context[consumerArgument], out consumer))
        {
            context.Reply.WriteArray(0);
            return;
        }

        DeferredReply deferred = context.Scratch.Deferred;
        deferred.Clear();
        RespWriter writer = new(deferred, context.Reply.ProtocolVersion);
        int written = 0;
        if (count > 0)
        {
            foreach (
                PendingEntry pending in isOfConsumer
                    ? view.Pending(group.Number, consumer.Number, start, end)
                    : view.Pending(group.Number, start, end)
            )
            {
                long idleMs = context.RunningNowMs - pending.DeliveredAtMs;
                if (minIdleMs != 0 && idleMs < minIdleMs)
                    continue;
                writer.WriteArray(4);
                StreamIdText.Write(ref writer, pending.Id);
                writer.WriteBulk(pending.Consumer);
                writer.WriteInteger(Math.Max(idleMs, 0));
                writer.WriteInteger(pending.Deliveries);
                if (++written == count)
                    break;
            }
        }

        writer.Flush();
        context.Reply.WriteArray(written);
        deferred.MoveTo(ref context.Reply);
    }
}
