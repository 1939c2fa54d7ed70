// XAUTOCLAIM key group consumer min-idle-time start [COUNT count] [JUSTID]
using System.Buffers;
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>
/// Claims entries that have been pending for long for a consumer; replies with the ID to continue from, the entries, and the IDs of deleted
/// ones.
/// </summary>
internal static class XAutoClaimCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XAUTOCLAIM",
        Arity = -6,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Stream,
        Since = "6.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private const long DefaultCount = 100;
    private const long LooksPerEntry = 10;
    private const long MaxCount = long.MaxValue / 16;

    // No machine has enough memory for so many IDs.
    private const long HopelessCount = 1L << 36;

    private static void Execute(ref CommandContext context)
    {
        // As in Valkey, the key is looked up first, but its type is checked only after the arguments.
        RecordHandle record = context.Open(1);
        context.CountLookup(record.Exists, 1);
        if (
            !BoundedArgument.TryGet(
                ref context,
                4,
                long.MinValue,
                long.MaxValue,
                out long minIdleMs,
                "ERR Invalid min-idle-time argument for XAUTOCLAIM"u8
            )
            || !StreamIdText.TryGetStart(ref context, 5, out StreamId start)
            || !TryParseOptions(ref context, out long count, out bool isJustId)
        )
        {
            return;
        }

        if (record.Exists && record.Type != RecordType.Stream)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return;
        }

        StreamValue stream = new(record);
        if (!stream.View.TryGetGroup(context[2], out StreamGroup group))
        {
            StreamKey.WriteNoGroup(ref context, 1, 2);
            return;
        }

        if (count >= HopelessCount)
        {
            context.Reply.WriteError("ERR Insufficient memory, failed allocating transient memory, COUNT too high."u8);
            return;
        }

        if (!context.TryReserveEffects(GroupEffect.ClaimBytes(ref context, 1, 2, Math.Min(count, group.Pending))))
            return;
        context.SuppressEffect();
        (long number, StreamId last) = (group.Number, group.LastId);
        int created = stream.CreateConsumer(number, context[3], context.RunningNowMs, out long consumer) ? 1 : 0;
        if (created > 0)
            context.Notify(StreamEvents.ConsumerCreate, 1);
        EntryClaim claim = new(
            1,
            new GroupMember(number, consumer),
            Math.Max(minIdleMs, 0),
            last,
            context.RunningNowMs,
            -1,
            isForced: false,
            isJustId
        );
        context.CountChanges(created + Claim(ref context, ref stream, in claim, start, count));
    }

    private static bool TryParseOptions(ref CommandContext context, out long count, out bool isJustId)
    {
        count = DefaultCount;
        isJustId = false;
        for (int i = 6; i < context.Count; i++)
        {
            if (i + 1 < context.Count && context.Is(i, "COUNT"u8))
            {
                if (!BoundedArgument.TryGet(ref context, ++i, 1, MaxCount, out count, "ERR COUNT must be > 0"u8))
                    return false;
            }
            else if (context.Is(i, "JUSTID"u8))
            {
                isJustId = true;
            }
            else
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return false;
            }
        }

        return true;
    }

    // Returns the number of entries that had an effect.
    private static int Claim(ref CommandContext context, ref StreamValue stream, in EntryClaim claim, StreamId start, long count)
    {
        StreamId[] deleted = ArrayPool<StreamId>.Shared.Rent((int)Math.Min(count, stream.View.GroupOf(claim.Member.Group).Pending));
        DeferredReply deferred = context.Scratch.Deferred;
        deferred.Clear();
        RespWriter writer = new(deferred, context.Reply.ProtocolVersion);
        int claimed = 0;
        int missing = 0;
        long looks = count * LooksPerEntry;
        StreamId next = start;
        bool isMore = TryFind(in stream, claim.Member.Group, next, out StreamId id);
        while (isMore && looks-- > 0 && claimed + missing < count)
        {
            ClaimOutcome outcome = claim.Take(ref context, ref writer, ref stream, id);
            if (outcome == ClaimOutcome.Claimed)
                claimed++;
            else if (outcome == ClaimOutcome.Deleted)
                deleted[missing++] = id;
            next = StreamIdText.Next(id);
            isMore = next != StreamId.Min && TryFind(in stream, claim.Member.Group, next, out id);
        }

        stream.SetConsumerTimes(claim.Member.Consumer, context.RunningNowMs, claimed > 0 ? context.RunningNowMs : -1);
        writer.Flush();
        context.Reply.WriteArray(3);
        StreamIdText.Write(ref context.Reply, isMore ? id : StreamId.Min);
        context.Reply.WriteArray(claimed);
        deferred.MoveTo(ref context.Reply);
        context.Reply.WriteArray(missing);
        foreach (StreamId each in deleted.AsSpan(0, missing))
            StreamIdText.Write(ref context.Reply, each);
        ArrayPool<StreamId>.Shared.Return(deleted);
        return claimed + missing;
    }

    // Finds the first pending entry from an ID on.
    private static bool TryFind(in StreamValue stream, long group, StreamId from, out StreamId id)
    {
        foreach (PendingEntry pending in stream.View.Pending(group, from, StreamId.Max))
        {
            id = pending.Id;
            return true;
        }

        id = default;
        return false;
    }
}
