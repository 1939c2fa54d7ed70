// PFCOUNT key [key ...]
using System.Buffers;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.HyperLogLogs;

/// <summary>
/// Estimates the number of distinct elements in the union of HyperLogLogs; the estimate of a single key is cached in its value.
/// </summary>
internal static class PfCountCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PFCOUNT",
        Arity = -2,
        Flags = CommandFlags.ReadOnly | CommandFlags.MayReplicate,
        Group = CommandGroup.HyperLogLog,
        Since = "2.8.9",
        Keys =
        [
            KeySpec.Range(
                1,
                -1,
                1,
                KeySpecFlags.RW | KeySpecFlags.Access,
                notes: "RW because it may change the internal representation of the key, and propagate to replicas"
            ),
        ],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Count == 2)
            CountOne(ref context);
        else
            CountUnion(ref context);
    }

    private static void CountOne(ref CommandContext context)
    {
        CachedCountReader reader = default;
        ReadOutcome outcome = context.Read(1, RecordType.String, ref reader);
        if (outcome == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else if (outcome == ReadOutcome.Missing)
            context.Reply.WriteInteger(0);
        else if (!reader.IsSketch)
            context.Reply.WriteError(SketchFormat.NotASketch);
        else if (reader.IsCached)
            context.Reply.WriteInteger(reader.Count);
        else
            CountAndCache(ref context);
    }

    // The key may have changed or disappeared since the first lookup.
    private static void CountAndCache(ref CommandContext context)
    {
        RecordHandle record = context.OpenUntouched(1);
        if (!record.Exists)
        {
            context.Reply.WriteInteger(0);
            return;
        }

        if (!SketchKey.IsSketch(ref context, ref record))
            return;
        if (!SketchFormat.TryGetCount(record.Value, out long count))
        {
            if (!CardinalityEstimate.TryCount(record.Value, out count))
            {
                context.Reply.WriteError(SketchFormat.Corrupt);
                return;
            }

            SketchFormat.SetCount(record.Mutate(), count);
        }

        context.Reply.WriteInteger(count);
    }

    private static void CountUnion(ref CommandContext context)
    {
        context.LatchKeys(1, 1, context.Count - 1);
        byte[] rented = ArrayPool<byte>.Shared.Rent(SketchFormat.Registers);
        Span<byte> registers = rented.AsSpan(0, SketchFormat.Registers);
        registers.Clear();
        bool valid = true;
        for (int i = 1; valid && i < context.Count; i++)
        {
            RecordHandle record = context.Open(i);
            context.CountLookup(record.Exists, i);
            if (record.Exists)
                valid = SketchKey.IsSketch(ref context, ref record) && SketchKey.TryMerge(ref context, registers, record.Value);
        }

        if (valid)
            context.Reply.WriteInteger(CardinalityEstimate.FromPlain(registers));
        ArrayPool<byte>.Shared.Return(rented);
    }

    private struct CachedCountReader : IValueReader
    {
        public bool IsSketch { get; private set; }

        public bool IsCached { get; private set; }

        public long Count { get; private set; }

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
        {
            IsSketch = SketchFormat.IsSketch(value);
            long count = 0;
            IsCached = IsSketch && SketchFormat.TryGetCount(value, out count);
            Count = count;
        }
    }
}
