// PFMERGE destkey [sourcekey [sourcekey ...]]
using System.Buffers;
using Garnet.Commands.Strings;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.HyperLogLogs;

/// <summary>Merges HyperLogLogs into the one at the first key, which counts as a source too and is created if absent.</summary>
internal static class PfMergeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PFMERGE",
        Arity = -2,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.HyperLogLog,
        Since = "2.8.9",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Insert),
            KeySpec.Range(2, -1, 1, KeySpecFlags.RO | KeySpecFlags.Access),
        ],
        Event = HyperLogLogEvents.PfAdd,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!StringGrowth.TryReserve(ref context, 1, SketchFormat.DenseBytes, 0))
            return;
        context.LatchKeys(1, 1, context.Count - 1);
        byte[] rented = ArrayPool<byte>.Shared.Rent(SketchFormat.Registers);
        Span<byte> registers = rented.AsSpan(0, SketchFormat.Registers);
        registers.Clear();
        if (TryMergeSources(ref context, registers, out bool dense) && TryStore(ref context, registers, dense))
            context.Reply.WriteOk();
        ArrayPool<byte>.Shared.Return(rented);
    }

    private static bool TryMergeSources(ref CommandContext context, Span<byte> registers, out bool dense)
    {
        dense = false;
        for (int i = 1; i < context.Count; i++)
        {
            RecordHandle source = context.Open(i);
            context.CountLookup(source.Exists, i);
            if (!source.Exists)
                continue;
            if (!SketchKey.IsSketch(ref context, ref source) || !SketchKey.TryMerge(ref context, registers, source.Value))
                return false;
            dense |= SketchFormat.IsDense(source.Value);
        }

        return true;
    }

    // A dense source makes the result dense; otherwise the destination's own runs are changed as if elements were added one by one.
    private static bool TryStore(ref CommandContext context, ReadOnlySpan<byte> registers, bool dense)
    {
        RecordHandle target = context.Open(1);
        using SketchDraft draft = new(
            target.Exists ? target.Value : SketchFormat.Empty,
            SketchFormat.Registers,
            context.Settings.MaxSparseBytes
        );
        bool valid = !dense || draft.TryMakeDense();
        if (valid && dense)
            draft.Replace(registers);
        for (int i = 0; valid && !dense && i < registers.Length; i++)
        {
            if (registers[i] != 0)
                valid = draft.Raise(i, registers[i]) != SketchChange.Corrupt;
        }

        if (!valid)
        {
            context.Reply.WriteError(SketchFormat.Corrupt);
            return false;
        }

        SketchFormat.InvalidateCount(draft.Bytes);
        target.SetKeepingExpiry(draft.Bytes);
        target.MarkEdited();
        return true;
    }
}
