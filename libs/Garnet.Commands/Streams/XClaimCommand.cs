// XCLAIM key group consumer min-idle-time id [id ...] [IDLE ms] [TIME unix-time-ms] [RETRYCOUNT count] [FORCE] [JUSTID] [LASTID id]
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Claims pending entries for a consumer, and replies with them.</summary>
internal static class XClaimCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XCLAIM",
        Arity = -6,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private const int FirstId = 5;

    private static void Execute(ref CommandContext context)
    {
        if (!StreamKey.TryOpenForReading(ref context, 1, out StreamValue stream))
            return;
        if (!stream.View.TryGetGroup(context[2], out StreamGroup group))
        {
            StreamKey.WriteNoGroup(ref context, 1, 2);
            return;
        }

        if (
            !BoundedArgument.TryGet(
                ref context,
                4,
                long.MinValue,
                long.MaxValue,
                out long minIdleMs,
                "ERR Invalid min-idle-time argument for XCLAIM"u8
            ) || !ClaimOptions.TryParse(ref context, out ClaimOptions options)
        )
        {
            return;
        }

        if (!context.TryReserveEffects(GroupEffect.ClaimBytes(ref context, 1, 2, options.EndOfIds - FirstId)))
            return;
        context.SuppressEffect();
        long number = group.Number;
        StreamId last = group.LastId;
        long entriesRead = group.EntriesRead;
        bool isFurther = options.LastId > last;
        if (isFurther)
        {
            last = options.LastId;
            stream.SetGroup(number, last, entriesRead);
        }

        int changes = stream.CreateConsumer(number, context[3], context.RunningNowMs, out long consumer) ? 1 : 0;
        if (changes > 0)
            context.Notify(StreamEvents.ConsumerCreate, 1);
        EntryClaim claim = new(
            1,
            new GroupMember(number, consumer),
            Math.Max(minIdleMs, 0),
            last,
            options.DeliveredAtMs,
            options.Deliveries,
            options.IsForced,
            options.IsJustId
        );
        int told = Claim(ref context, ref stream, in options, in claim);
        changes += told;
        if (isFurther && told == 0)
        {
            GroupEffect.Progress(ref context, 1, context[2], last, entriesRead);
            changes++;
        }

        context.CountChanges(changes);
    }

    // Returns the number of entries that had an effect.
    private static int Claim(ref CommandContext context, ref StreamValue stream, in ClaimOptions options, in EntryClaim claim)
    {
        DeferredReply deferred = context.Scratch.Deferred;
        deferred.Clear();
        RespWriter writer = new(deferred, context.Reply.ProtocolVersion);
        int claimed = 0;
        int told = 0;
        for (int i = FirstId; i < options.EndOfIds; i++)
        {
            StreamIdText.TryParse(context[i], 0, out StreamId id);
            ClaimOutcome outcome = claim.Take(ref context, ref writer, ref stream, id);
            claimed += outcome == ClaimOutcome.Claimed ? 1 : 0;
            told += outcome != ClaimOutcome.NotClaimed ? 1 : 0;
        }

        long nowMs = context.RunningNowMs;
        stream.SetConsumerTimes(claim.Member.Consumer, nowMs, claimed > 0 ? nowMs : -1);
        writer.Flush();
        context.Reply.WriteArray(claimed);
        deferred.MoveTo(ref context.Reply);
        return told;
    }
}
