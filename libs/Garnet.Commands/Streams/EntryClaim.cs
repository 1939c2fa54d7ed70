// Claims entries one by one for XCLAIM and XAUTOCLAIM. Immutable.
using Garnet.Engine.Execution;
using Garnet.Protocol;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>How to claim entries, and for which group and consumer; their names are the two arguments after the key.</summary>
internal readonly struct EntryClaim(
    int key,
    GroupMember member,
    long minIdleMs,
    StreamId groupLastId,
    long deliveredAtMs,
    long deliveries,
    bool isForced,
    bool isJustId
)
{
    /// <summary>The claiming consumer.</summary>
    public GroupMember Member => member;

    /// <summary>
    /// If an entry is pending and has been idle for long enough, makes it pending for the consumer, replies with it and describes the
    /// effect.
    /// </summary>
    public ClaimOutcome Take(ref CommandContext context, ref RespWriter writer, ref StreamValue stream, StreamId id)
    {
        ReadOnlySpan<byte> groupName = context[key + 1];
        StreamView view = stream.View;
        bool isPending = view.TryGetPending(member.Group, id, out PendingEntry pending);
        if (!view.Contains(id))
        {
            if (!isPending)
                return ClaimOutcome.NotClaimed;
            GroupEffect.Claim(ref context, key, groupName, pending.Consumer, id, pending.DeliveredAtMs, pending.Deliveries, groupLastId);
            stream.Acknowledge(member.Group, id);
            return ClaimOutcome.Deleted;
        }

        if (isPending ? minIdleMs > 0 && context.RunningNowMs - pending.DeliveredAtMs < minIdleMs : !isForced)
            return ClaimOutcome.NotClaimed;
        long counted = isPending ? pending.Deliveries : 1;
        if (deliveries >= 0)
            counted = deliveries;
        else if (!isJustId)
            counted++;
        stream.SetPending(member.Group, member.Consumer, id, deliveredAtMs, counted);
        if (isJustId)
            StreamIdText.Write(ref writer, id);
        else
            EntryReply.TryWrite(ref writer, stream.View, id);
        GroupEffect.Claim(ref context, key, groupName, context[key + 2], id, deliveredAtMs, counted, groupLastId);
        return ClaimOutcome.Claimed;
    }
}
