// PFDEBUG GETREG | DECODE | ENCODING | TODENSE key, PFDEBUG SIMD ON | OFF
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.HyperLogLogs;

/// <summary>Shows internals of a HyperLogLog.</summary>
internal static class PfDebugCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PFDEBUG",
        Arity = 3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Admin,
        Group = CommandGroup.HyperLogLog,
        Since = "2.8.9",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Is(1, "SIMD"u8))
        {
            ReplyWithVectors(ref context);
            return;
        }

        RecordHandle record = context.Open(2);
        if (!record.Exists)
        {
            context.Reply.WriteError("ERR The specified key does not exist"u8);
            return;
        }

        if (!SketchKey.IsSketch(ref context, ref record))
            return;
        if (context.Is(1, "GETREG"u8))
            ReplyWithRegisters(ref context, ref record);
        else if (context.Is(1, "DECODE"u8))
            ReplyWithRuns(ref context, record.Value);
        else if (context.Is(1, "ENCODING"u8))
            context.Reply.WriteSimpleString(SketchFormat.IsDense(record.Value) ? "dense"u8 : "sparse"u8);
        else if (context.Is(1, "TODENSE"u8))
            MakeDense(ref context, ref record);
        else
            ArgumentText.WriteError(ref context, $"ERR Unknown PFDEBUG subcommand '{ArgumentText.Printable(context[1])}'");
    }

    // Registers are always processed several at a time: as in a Valkey that cannot switch, the reply says what is in force.
    private static void ReplyWithVectors(ref CommandContext context)
    {
        if (context.Is(2, "ON"u8) || context.Is(2, "OFF"u8))
            context.Reply.WriteSimpleString("enabled"u8);
        else
            context.Reply.WriteError("ERR Argument must be ON or OFF"u8);
    }

    private static void MakeDense(ref CommandContext context, ref RecordHandle record)
    {
        bool sparse = !SketchFormat.IsDense(record.Value);
        if (!sparse || TryMakeDense(ref context, ref record))
            context.Reply.WriteInteger(sparse ? 1 : 0);
    }

    private static bool TryMakeDense(ref CommandContext context, ref RecordHandle record)
    {
        if (record.Length > SketchFormat.MaxSparseBytes)
        {
            context.Reply.WriteError(SketchFormat.Corrupt);
            return false;
        }

        using SketchDraft draft = new(record.Value, 0, SketchFormat.DenseBytes);
        if (!draft.TryMakeDense())
        {
            context.Reply.WriteError(SketchFormat.Corrupt);
            return false;
        }

        record.SetKeepingExpiry(draft.Bytes);
        record.MarkEdited();
        return true;
    }

    private static void ReplyWithRegisters(ref CommandContext context, ref RecordHandle record)
    {
        if (!SketchFormat.IsDense(record.Value) && !TryMakeDense(ref context, ref record))
            return;
        ReadOnlySpan<byte> registers = record.Value[SketchFormat.HeaderBytes..];
        context.Reply.WriteArray(SketchFormat.Registers);
        for (int i = 0; i < SketchFormat.Registers; i++)
            context.Reply.WriteInteger(DenseRegisters.Get(registers, i));
    }

    // z: and Z: runs of zeros in one and in two bytes, v: value and run length.
    private static void ReplyWithRuns(ref CommandContext context, ReadOnlySpan<byte> sketch)
    {
        if (SketchFormat.IsDense(sketch))
        {
            context.Reply.WriteError("ERR HLL encoding is not sparse"u8);
            return;
        }

        if (sketch.Length > SketchFormat.MaxSparseBytes)
        {
            context.Reply.WriteError(SketchFormat.Corrupt);
            return;
        }

        StringBuilder text = new();
        SparseRuns runs = new(sketch);
        while (runs.MoveNext())
        {
            text.Append(text.Length > 0 ? " " : "");
            if (runs.Value > 0)
                text.Append(CultureInfo.InvariantCulture, $"v:{runs.Value},{runs.Length}");
            else
                text.Append(CultureInfo.InvariantCulture, $"{(runs.IsLong ? 'Z' : 'z')}:{runs.Length}");
        }

        context.Reply.WriteBulk(text.ToString());
    }
}
