// Raises a register within the runs of a sparse sketch. Stateless; works on bytes of the caller's.
namespace Garnet.Server.Commands.HyperLogLogs;

/// <summary>
/// Splits the run that covers the register and joins equal neighbours, in the order in which Valkey do it, so that the same elements leave
/// the same bytes after.
/// </summary>
internal static class SparseEditor
{
    /// <summary>The most bytes that one change adds.</summary>
    public const int MaxGrowth = 3;

    // How many runs are looked at for joining, beginning with the one before the change.
    private const int JoinedRuns = 5;

    /// <summary>Raises a register to a value.</summary>
    /// <param name="sketch">The sketch, with room for <see cref="MaxGrowth"/> bytes after it.</param>
    /// <param name="length">The sketch's length, which may change.</param>
    /// <param name="register">The register.</param>
    /// <param name="value">The value to raise it to.</param>
    /// <param name="limit">The length up to which the sketch may grow.</param>
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

    // Puts what is before the register, the register, and what is after it in place of the run; false when there is no room.
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

    // Neighbouring runs of one value become one where it fits, again and again from the same place.
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

            int together = offset + 1 < length ? JoinedLength(code, sketch[offset + 1]) : 0;
            if (together == 0)
            {
                offset++;
                continue;
            }

            SparseRuns.Write(sketch[(offset + 1)..], ((code >> 2) & 0x1F) + 1, together);
            sketch[(offset + 1)..length].CopyTo(sketch[offset..]);
            length--;
        }
    }

    // 0 when the runs cannot be joined.
    private static int JoinedLength(byte left, byte right)
    {
        const int valueMask = 0xFC;
        int length = (left & 3) + (right & 3) + 2;
        return (left & valueMask) == (right & valueMask) && length <= SparseRuns.MaxValueRun ? length : 0;
    }
}
