// Raises a register within the runs of a sparse sketch. Stateless; works on the caller's bytes.
namespace Garnet.Commands.HyperLogLogs;

/// <summary>
/// Splits the run that contains the register and merges equal neighbours, in the same order as Valkey, so that the same elements produce
/// the same bytes.
/// </summary>
internal static class SparseEditor
{
    /// <summary>Maximum number of bytes that one change adds.</summary>
    public const int MaxGrowth = 3;

    // Number of runs considered for merging, starting with the one before the change.
    private const int JoinedRuns = 5;

    /// <summary>Raises a register to a value.</summary>
    /// <param name="sketch">The sketch, with at least <see cref="MaxGrowth"/> unused bytes after it.</param>
    /// <param name="length">The sketch's length, which may change.</param>
    /// <param name="register">The register.</param>
    /// <param name="value">The value to raise it to.</param>
    /// <param name="limit">Maximum length of the sketch.</param>
    public static SketchChange Raise(Span<byte> sketch, ref int length, int register, int value, long limit)
    {
        if (value > SparseRuns.MaxValue)
            return SketchChange.NeedsDense;
        SparseRuns run = new(sketch[..length]);
        int previous = SketchFormat.HeaderBytes;
        int first = 0;
        if (!run.MoveNext())
            return SketchChange.Corrupt;
        while (register >= first + run.Length)
        {
            previous = run.Offset;
            first += run.Length;
            if (!run.MoveNext())
                return SketchChange.Corrupt;
        }

        if (run.IsLong && run.Offset + 1 == length)
            return SketchChange.Corrupt;
        if (run.Value >= value)
            return SketchChange.None;
        if (run.Length == 1 && !run.IsLong)
            SparseRuns.Write(sketch[run.Offset..], value, 1);
        else if (!TrySplit(sketch, ref length, in run, register - first, value, limit))
            return SketchChange.NeedsDense;
        Join(sketch, ref length, previous);
        SketchFormat.InvalidateCount(sketch);
        return SketchChange.Raised;
    }

    // Replaces the run by up to three: before the register, the register, and after it; false if there is not enough space.
    private static bool TrySplit(Span<byte> sketch, ref int length, in SparseRuns run, int before, int value, long limit)
    {
        Span<byte> pieces = stackalloc byte[5];
        int count = 0;
        int behind = run.Length - before - 1;
        if (before > 0)
            count += SparseRuns.Write(pieces, run.Value, before);
        count += SparseRuns.Write(pieces[count..], value, 1);
        if (behind > 0)
            count += SparseRuns.Write(pieces[count..], run.Value, behind);

        int old = run.IsLong ? 2 : 1;
        int growth = count - old;
        if (growth > 0 && length + growth > limit)
            return false;
        int next = run.Offset + old;
        sketch[next..length].CopyTo(sketch[(next + growth)..]);
        pieces[..count].CopyTo(sketch[run.Offset..]);
        length += growth;
        return true;
    }

    // Merges neighbouring runs of the same value if the sum fits, and tries again at the same offset after each merge.
    private static void Join(Span<byte> sketch, ref int length, int offset)
    {
        for (int scanned = 0; scanned < JoinedRuns && offset < length; scanned++)
        {
            byte code = sketch[offset];
            if (!SparseRuns.IsValues(code))
            {
                offset += SparseRuns.IsLongZeros(code) ? 2 : 1;
                continue;
            }

            int joined = offset + 1 < length ? JoinedLength(code, sketch[offset + 1]) : 0;
            if (joined == 0)
            {
                offset++;
                continue;
            }

            SparseRuns.Write(sketch[(offset + 1)..], ((code >> 2) & 0x1F) + 1, joined);
            sketch[(offset + 1)..length].CopyTo(sketch[offset..]);
            length--;
        }
    }

    // Length of the merged run; 0 if the runs cannot be merged.
    private static int JoinedLength(byte left, byte right)
    {
        const int valueMask = 0xFC;
        int length = (left & 3) + (right & 3) + 2;
        return (left & valueMask) == (right & valueMask) && length <= SparseRuns.MaxValueRun ? length : 0;
    }
}
