// The effects of reading as a group and of claiming. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Describes the resulting pending entries, because the commands themselves depend on the time.</summary>
internal static class GroupEffect
{
    // Besides key, group and consumer: the other eleven arguments of XCLAIM, two of them IDs of up to 41 characters.
    private const long FixedClaimBytes = (15 * EffectBuffer.ArgumentOverheadBytes) + 160;

    /// <summary>
    /// Maximum size in bytes of the effects of a number of claims, with the group's progress. Each repeats the names of key, group and
    /// consumer, so they can be far larger than the request.
    /// </summary>
    public static long ClaimBytes(ref CommandContext context, int key, int group, long claims) =>
        (claims + 1) * (FixedClaimBytes + context[key].Length + context[group].Length + context[group + 1].Length);

    /// <summary>XCLAIM of one entry with all its properties; for a deleted entry, the XCLAIM removes it from the pending ones.</summary>
    public static void Claim(
        ref CommandContext context,
        int key,
        scoped ReadOnlySpan<byte> group,
        scoped ReadOnlySpan<byte> consumer,
        StreamId id,
        long deliveredAtMs,
        long deliveries,
        StreamId groupLastId
    )
    {
        if (!context.HasSink)
            return;
        EffectBuffer effect = context.BeginEffect(14).Add("XCLAIM"u8).Add(context[key]).Add(group).Add(consumer).Add("0"u8);
        StreamIdText
            .Add(effect, id)
            .Add("TIME"u8)
            .Add(deliveredAtMs)
            .Add("RETRYCOUNT"u8)
            .Add(deliveries)
            .Add("FORCE"u8)
            .Add("JUSTID"u8)
            .Add("LASTID"u8);
        StreamIdText.Add(effect, groupLastId);
    }

    /// <summary>XGROUP SETID: the group's last delivered ID.</summary>
    public static void Progress(ref CommandContext context, int key, scoped ReadOnlySpan<byte> group, StreamId lastId, long entriesRead)
    {
        if (!context.HasSink)
            return;
        EffectBuffer effect = context.BeginEffect(7).Add("XGROUP"u8).Add("SETID"u8).Add(context[key]).Add(group);
        StreamIdText.Add(effect, lastId).Add("ENTRIESREAD"u8).Add(entriesRead);
    }

    /// <summary>XGROUP CREATECONSUMER.</summary>
    public static void Consumer(ref CommandContext context, int key, scoped ReadOnlySpan<byte> group, scoped ReadOnlySpan<byte> consumer)
    {
        if (context.HasSink)
            context.BeginEffect(5).Add("XGROUP"u8).Add("CREATECONSUMER"u8).Add(context[key]).Add(group).Add(consumer);
    }
}
