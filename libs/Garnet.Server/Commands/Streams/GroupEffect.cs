// What reading by groups and claiming hand to the write sink. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Store.Collections.Streams;

namespace Garnet.Server.Commands.Streams;

/// <summary>Describes who has what: the deliveries themselves depend on the time.</summary>
internal static class GroupEffect
{
    /// <summary>XCLAIM of one entry with all it has; of an entry that is gone, it ends its being pending.</summary>
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

    /// <summary>XGROUP SETID: how far the group has come.</summary>
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
