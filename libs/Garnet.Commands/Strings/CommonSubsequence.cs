// The longest common subsequence of two strings. Used by the command's thread.
using System.Numerics;
using System.Runtime.InteropServices;
using Garnet.Store.Memory;

namespace Garnet.Commands.Strings;

/// <summary>
/// The dynamic programming table takes one bit per cell: whether the length increases from one column to the next, which is also what
/// backtracking needs. Each row is computed from the previous one by additions of whole words, 64 cells at a time (Hyyro, "Bit-Parallel
/// LCS-length Computation Revisited", 2004). Where two paths are equally long, backtracking takes the one that shortens the second string,
/// so that clients see the same ranges as from Valkey.
/// </summary>
internal sealed class CommonSubsequence : IDisposable
{
    private const int Bytes = 256;
    private readonly ScratchList<byte> _rows = new();
    private readonly ScratchList<byte> _text = new();
    private readonly List<CommonRange> _matches = [];
    private readonly int _rowBytes;

    /// <summary>Compares two strings in time proportional to the product of their lengths divided by 64.</summary>
    public CommonSubsequence(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        _rowBytes = (second.Length / 8) + 1;
        try
        {
            Compare(first, second);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>The subsequence.</summary>
    public ReadOnlySpan<byte> Text => _text.Span;

    /// <summary>Its matching ranges, from the ends of the strings to their beginnings.</summary>
    public IReadOnlyList<CommonRange> Matches => _matches;

    /// <summary>Computes only the length of the subsequence.</summary>
    public static int Length(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        // The length does not depend on the order of the strings; rows are built from the shorter one.
        if (second.Length > first.Length)
        {
            ReadOnlySpan<byte> longer = second;
            second = first;
            first = longer;
        }

        using ScratchList<ulong> scratch = new();
        Span<ulong> row = scratch.AddUnset(WordsOf(second));
        row.Fill(ulong.MaxValue);
        using RowMasks masks = new(first, second);
        foreach (byte current in first)
            Advance(row, masks.Of(current));
        return CountOf(row, second.Length);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _rows.Dispose();
        _text.Dispose();
    }

    private void Compare(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        Span<byte> table = _rows.AddUnset(checked(_rowBytes * first.Length));
        using ScratchList<ulong> scratch = new();
        Span<ulong> row = scratch.AddUnset(WordsOf(second));
        row.Fill(ulong.MaxValue);
        using RowMasks masks = new(first, second);
        for (int i = 0; i < first.Length; i++)
        {
            Advance(row, masks.Of(first[i]));
            if (_rowBytes == 1)
                table[i] = (byte)row[0];
            else
                MemoryMarshal.AsBytes(row)[.._rowBytes].CopyTo(table[(i * _rowBytes)..]);
        }

        _text.AddUnset(CountOf(row, second.Length));
        WalkBack(first, second);
    }

    private static int WordsOf(ReadOnlySpan<byte> second) => (second.Length / 64) + 1;

    // A zero bit means that the length increases.
    private static void Advance(Span<ulong> row, ReadOnlySpan<ulong> matching)
    {
        if (row.Length == 1)
        {
            ulong only = row[0];
            row[0] = (only + (only & matching[0])) | (only & ~matching[0]);
            return;
        }

        ulong carry = 0;
        for (int i = 0; i < row.Length; i++)
        {
            ulong steps = row[i];
            ulong sum = steps + (steps & matching[i]);
            ulong overflow = sum < steps ? 1UL : 0;
            sum += carry;
            carry = overflow | (sum < carry ? 1UL : 0);
            row[i] = sum | (steps & ~matching[i]);
        }
    }

    private static int CountOf(ReadOnlySpan<ulong> row, int columns)
    {
        int zeros = 0;
        for (int i = 0; i < columns / 64; i++)
            zeros += BitOperations.PopCount(~row[i]);
        int rest = columns % 64;
        return zeros + BitOperations.PopCount(~row[columns / 64] & ((1UL << rest) - 1));
    }

    private void WalkBack(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        ReadOnlySpan<byte> table = _rows.Span;
        Span<byte> found = _text.Span;
        int i = first.Length;
        int j = second.Length;
        int left = found.Length;
        CommonRange run = default;
        while (i > 0 && j > 0)
        {
            if (first[i - 1] == second[j - 1])
            {
                i--;
                j--;
                found[--left] = first[i];
                if (run.Length > 0 && run.First == i + 1 && run.Second == j + 1)
                {
                    run = new CommonRange(i, j, run.Length + 1);
                }
                else
                {
                    Add(run);
                    run = new CommonRange(i, j, 1);
                }
            }
            else if ((table[((i - 1) * _rowBytes) + ((j - 1) / 8)] & (1 << ((j - 1) % 8))) == 0)
            {
                i--;
            }
            else
            {
                j--;
            }
        }

        Add(run);
    }

    private void Add(CommonRange run)
    {
        if (run.Length > 0)
            _matches.Add(run);
    }

    // For each byte that occurs in the first string, the positions at which it occurs in the second.
    private sealed class RowMasks : IDisposable
    {
        private readonly ScratchList<ulong> _masks = new();
        private readonly short[] _indexes = new short[Bytes];
        private readonly int _words;

        public RowMasks(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
        {
            _words = WordsOf(second);
            int distinct = 0;
            Array.Fill(_indexes, (short)-1);
            for (int i = 0; i < first.Length && distinct < Bytes; i++)
            {
                if (_indexes[first[i]] < 0)
                    _indexes[first[i]] = (short)distinct++;
            }

            Span<ulong> all = _masks.AddUnset(checked(_words * distinct));
            all.Clear();
            for (int j = 0; j < second.Length; j++)
            {
                int index = _indexes[second[j]];
                if (index >= 0)
                    all[(index * _words) + (j / 64)] |= 1UL << j;
            }
        }

        public ReadOnlySpan<ulong> Of(byte value) => _masks.Span.Slice(_indexes[value] * _words, _words);

        public void Dispose() => _masks.Dispose();
    }
}
