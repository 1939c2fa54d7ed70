// Claims one entry after the other for XCLAIM and XAUTOCLAIM. Immutable.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.Streams;

/// <summary>How to claim; group and consumer are the two arguments behind the key.</summary>
internal readonly struct EntryClaim(int key, long minIdleMs, StreamId groupLastId, long deliveredAtMs, long deliveries, bool isForced, bool isJustId)
{
    /// <summary>Makes an entry pending for the consumer, replies with it and describes the effect, if it is there, pending, and has been for long enough.</summary>
    public ClaimOutcome Take(ref CommandContext context, ref RespWriter writer, ref StreamValue stream, StreamId id)
    {
        ReadOnlySpan<byte> groupName = context[key + 1];
        ReadOnlySpan<byte> consumer = context[key + 2];
        StreamView view = stream.View;
        view.TryGetGroup(groupName, out StreamGroup group);
        bool isPending = view.TryGetPending(group, id, out PendingEntry pending);
        if (!view.Contains(id))
        {
            if (!isPending)
                return ClaimOutcome.Left;
            GroupEffect.Claim(ref context, key, groupName, pending.Consumer, id, pending.DeliveredAtMs, pending.Deliveries, groupLastId);
            stream.Acknowledge(groupName, id);
            return ClaimOutcome.Gone;
        }

        if (isPending ? minIdleMs > 0 && context.NowMs - pending.DeliveredAtMs < minIdleMs : !isForced)
            return ClaimOutcome.Left;
        long counted = isPending ? pending.Deliveries : 1;
        if (deliveries >= 0)
            counted = deliveries;
        else if (!isJustId)
            counted++;
        stream.SetPending(groupName, consumer, id, deliveredAtMs, counted);
        if (isJustId)
            StreamIdText.Write(ref writer, id);
        else
            EntryReply.TryWrite(ref writer, stream.View, id);
        GroupEffect.Claim(ref context, key, groupName, consumer, id, deliveredAtMs, counted, groupLastId);
        return ClaimOutcome.Claimed;
    }
}
