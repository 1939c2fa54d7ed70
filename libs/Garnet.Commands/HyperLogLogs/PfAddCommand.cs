// PFADD key [element [element ...]]
using Garnet.Commands.Strings;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.HyperLogLogs;

/// <summary>Adds elements to the HyperLogLog at a key, creating it if absent, and replies whether its estimate may have changed.</summary>
internal static class PfAddCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PFADD",
        Arity = -2,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.HyperLogLog,
        Since = "2.8.9",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert)],
        Event = HyperLogLogEvents.PfAdd,
        Handler = Execute,
    };

    private const int FirstElement = 2;

    // Much larger than any sparse sketch; a longer string with a sketch's header is reported as corrupt without copying it.
    private const int MaxCopiedBytes = 1 << 20;

    private static void Execute(ref CommandContext context)
    {
        if (!StringGrowth.TryReserve(ref context, 1, SketchFormat.DenseBytes, 0))
            return;
        RecordHandle record = context.Open(1);
        if (record.Exists && !SketchKey.IsSketch(ref context, ref record))
            return;
        if (record.Exists && SketchFormat.IsDense(record.Value))
            AddToDense(ref context, ref record);
        else
            AddToDraft(ref context, ref record);
        record.MarkEdited();
    }

    private static void AddToDense(ref CommandContext context, ref RecordHandle record)
    {
        // The key is marked as changed only if a register changes.
        int raised = 0;
        Span<byte> writable = default;
        ReadOnlySpan<byte> sketch = record.Value;
        for (int i = FirstElement; i < context.Count; i++)
        {
            (int register, int value) = SketchFormat.Locate(context[i]);
            if (DenseRegisters.Get(sketch[SketchFormat.HeaderBytes..], register) >= value)
                continue;
            if (writable.IsEmpty)
            {
                writable = record.Mutate();
                sketch = writable;
                SketchFormat.InvalidateCount(writable);
            }

            DenseRegisters.Set(writable[SketchFormat.HeaderBytes..], register, value);
            raised++;
        }

        context.CountChanges(raised);
        context.Reply.WriteInteger(writable.IsEmpty ? 0 : 1);
    }

    private static void AddToDraft(ref CommandContext context, ref RecordHandle record)
    {
        int changes = record.Exists ? 0 : 1;
        ReadOnlySpan<byte> sketch = record.Exists ? record.Value : SketchFormat.Empty;
        if (sketch.Length > MaxCopiedBytes)
        {
            context.Reply.WriteError(SketchFormat.Corrupt);
            return;
        }

        using SketchDraft draft = new(sketch, context.Count - FirstElement, context.Settings.MaxSparseBytes);
        SketchChange change = SketchChange.None;
        for (int i = FirstElement; i < context.Count && change != SketchChange.Corrupt; i++)
        {
            (int register, int value) = SketchFormat.Locate(context[i]);
            change = draft.Raise(register, value);
            changes += change == SketchChange.Raised ? 1 : 0;
        }

        // As in Valkey, elements added before corrupt runs were found are kept.
        context.CountChanges(changes);
        if (changes > 0)
        {
            SketchFormat.InvalidateCount(draft.Bytes);
            record.SetKeepingExpiry(draft.Bytes);
        }

        if (change == SketchChange.Corrupt)
            context.Reply.WriteError(SketchFormat.Corrupt);
        else
            context.Reply.WriteInteger(changes > 0 ? 1 : 0);
    }
}
