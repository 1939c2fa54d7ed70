// Validates the key of a HyperLogLog command. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.HyperLogLogs;

/// <summary>Checks that a record holds a sketch.</summary>
internal static class SketchKey
{
    /// <summary>Whether an existing record holds a sketch; writes the error and returns false if it does not.</summary>
    public static bool IsSketch(ref CommandContext context, ref RecordHandle record)
    {
        if (record.Type != RecordType.String)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return false;
        }

        if (SketchFormat.IsSketch(record.Value))
            return true;
        context.Reply.WriteError(SketchFormat.NotASketch);
        return false;
    }

    /// <summary>Raises plain registers, one byte each, to those of a sketch; writes the error and returns false if it is corrupt.</summary>
    public static bool TryMerge(ref CommandContext context, Span<byte> plainRegisters, ReadOnlySpan<byte> sketch)
    {
        if (SketchFormat.IsDense(sketch))
        {
            DenseRegisters.MergeInto(plainRegisters, sketch[SketchFormat.HeaderBytes..]);
            return true;
        }

        if (SparseRuns.TryMergeInto(plainRegisters, sketch))
            return true;
        context.Reply.WriteError(SketchFormat.Corrupt);
        return false;
    }
}
