// XADD key [NOMKSTREAM] [MAXLEN | MINID [= | ~] threshold [LIMIT count]] * | id field value [field value ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Appends an entry to a stream, trims it, and replies with the entry's ID.</summary>
internal static class XAddCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XADD",
        Arity = -5,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys =
        [
            KeySpec.Range(
                1,
                0,
                1,
                KeySpecFlags.RW | KeySpecFlags.Update,
                notes: "UPDATE instead of INSERT because of the optional trimming feature"
            ),
        ],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private const long MaxTextBytes = 1L << 30;

    private static void Execute(ref CommandContext context)
    {
        if (!TrimOptions.TryParse(ref context, isAdding: true, out TrimOptions options))
            return;
        int firstField = options.IdArgument + 1;
        int rest = context.Count - firstField;
        if (rest < 2 || rest % 2 != 0)
        {
            context.WriteArityError();
            return;
        }

        if (options.IsIdGiven && options.IsSequenceGiven && options.Id == StreamId.Min)
        {
            context.Reply.WriteError("ERR The ID specified in XADD must be greater than 0-0"u8);
            return;
        }

        if (!StreamKey.TryOpen(ref context, 1, out StreamValue stream))
            return;
        if (!stream.Exists && options.IsOnlyExisting)
            context.Reply.WriteNull();
        else if (TryChooseId(ref context, in options, stream.View.LastId, firstField, out StreamId id))
            Add(ref context, ref stream, in options, firstField, id);
    }

    private static bool TryChooseId(ref CommandContext context, in TrimOptions options, StreamId last, int firstField, out StreamId id)
    {
        if (options.IsIdGiven)
            id = options.IsSequenceGiven || options.Id.Milliseconds != last.Milliseconds ? options.Id : StreamIdText.Next(last);
        else
            id = (ulong)context.RunningNowMs is var nowMs && nowMs > last.Milliseconds ? new StreamId(nowMs, 0) : StreamIdText.Next(last);
        bool hasSequence = options.IsSequenceGiven || !options.IsIdGiven || id.Milliseconds == options.Id.Milliseconds;
        if (last == StreamId.Max)
            context.Reply.WriteError("ERR The stream has exhausted the last possible ID, unable to add more items"u8);
        else if (id <= last || !hasSequence)
            context.Reply.WriteError("ERR The ID specified in XADD is equal or smaller than the target stream top item"u8);
        else if (TextBytes(in context, firstField) > MaxTextBytes)
            context.Reply.WriteError("ERR Elements are too large to be stored"u8);
        else
            return true;
        return false;
    }

    private static long TextBytes(in CommandContext context, int firstField)
    {
        long bytes = 0;
        for (int i = firstField; i < context.Count; i++)
            bytes += context[i].Length;
        return bytes;
    }

    private static void Add(ref CommandContext context, ref StreamValue stream, in TrimOptions options, int firstField, StreamId id)
    {
        stream.BeginEntry();
        for (int i = firstField; i < context.Count; i += 2)
            stream.AddField(context[i], context[i + 1]);
        stream.EndEntry(id);
        StreamIdText.Write(ref context.Reply, id);
        context.Notify(StreamEvents.Add, 1);
        if (options.Apply(ref stream) > 0)
            context.Notify(StreamEvents.Trim, 1);
        if (context.HasSink && (!options.IsIdGiven || !options.IsSequenceGiven || options.IsApproximate))
            DescribeEffect(ref context, in stream, in options, firstField, id);
    }

    // With the generated ID and the exact trim threshold, so that the effect does not depend on the time or on how entries are stored.
    private static void DescribeEffect(
        ref CommandContext context,
        in StreamValue stream,
        in TrimOptions options,
        int firstField,
        StreamId id
    )
    {
        bool isTrimming = options.Strategy != TrimStrategy.None;
        EffectBuffer effect = context.BeginEffect(3 + (isTrimming ? 3 : 0) + context.Count - firstField).Add("XADD"u8).Add(context[1]);
        if (isTrimming)
            options.AddResult(effect, stream.View);
        StreamIdText.Add(effect, id);
        for (int i = firstField; i < context.Count; i++)
            effect.Add(context[i]);
    }
}
