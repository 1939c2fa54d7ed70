// Claims one entry after the other for XCLAIM and XAUTOCLAIM. Immutable.
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Store.Collections.Streams;

namespace Garnet.Server.Commands.Streams;

/// <summary>How to claim, in which group for which consumer; their names are the two arguments after the key.</summary>
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
    /// <summary>Who claims.</summary>
    public GroupMember Member => member;

    /// <summary>
    /// Makes an entry pending for the consumer, replies with it and describes the effect, if it is there, pending, and has been for long
    /// enough.
    /// </summary>
    public ClaimOutcome Take(ref CommandContext context, ref RespWriter writer, ref StreamValue stream, StreamId id)
    {
        ReadOnlySpan<byte> groupName = context[key + 1];
        StreamView view = stream.View;
        bool isPending = view.TryGetPending(member.Group, id, out PendingEntry pending);
        if (!view.Contains(id))
        {
            if (!isPending)
                return ClaimOutcome.Left;
            GroupEffect.Claim(ref context, key, groupName, pending.Consumer, id, pending.DeliveredAtMs, pending.Deliveries, groupLastId);
            stream.Acknowledge(member.Group, id);
            return ClaimOutcome.Gone;
        }

        if (isPending ? minIdleMs > 0 && context.NowMs - pending.DeliveredAtMs < minIdleMs : !isForced)
            return ClaimOutcome.Left;
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
