// The longest common subsequence of two strings. Built once by one thread, then immutable.
namespace Garnet.Server.Commands.Strings;

/// <summary>
/// The textbook table of common lengths, kept as two rows of numbers and one bit per cell that tells the way back: an eighth of a byte where the whole table takes four.
/// Where two ways are equally long, the one that shortens the second string is taken, so that clients of other servers see the same runs.
/// </summary>
internal sealed class CommonSubsequence
{
    private readonly byte[] first;
    private readonly byte[] second;
    private readonly ulong[] shortensFirst; // (first.Length + 1) rows of rowWords words
    private readonly int rowWords;
    private readonly List<CommonRun> matches = [];

    /// <summary>Compares two strings; time is the product of their lengths.</summary>
    public CommonSubsequence(byte[] first, byte[] second)
    {
        this.first = first;
        this.second = second;
        rowWords = (second.Length / 64) + 1;
        shortensFirst = new ulong[(long)rowWords * (first.Length + 1)];
        Text = new byte[FillTable()];
        WalkBack();
    }

    /// <summary>The subsequence.</summary>
    public byte[] Text { get; }

    /// <summary>Its runs, from the strings' ends to their beginnings.</summary>
    public IReadOnlyList<CommonRun> Matches => matches;

    /// <summary>Only the length of the subsequence.</summary>
    public static int Length(ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        // The length is the same either way; the shorter string makes the row.
        if (second.Length > first.Length)
        {
            ReadOnlySpan<byte> longer = second;
            second = first;
            first = longer;
        }

        int[] row = new int[second.Length + 1];
        foreach (byte current in first)
        {
            int diagonal = 0;
            int left = 0;
            for (int j = 1; j < row.Length; j++)
            {
                int up = row[j];
                left = second[j - 1] == current ? diagonal + 1 : Math.Max(up, left);
                row[j] = left;
                diagonal = up;
            }
        }

        return row[^1];
    }

    private int FillTable()
    {
        int[] row = new int[second.Length + 1];
        for (int i = 1; i <= first.Length; i++)
        {
            Span<ulong> bits = shortensFirst.AsSpan(i * rowWords, rowWords);
            byte current = first[i - 1];
            int diagonal = 0;
            int left = 0;
            for (int j = 1; j < row.Length; j++)
            {
                int up = row[j];
                if (second[j - 1] == current)
                {
                    left = diagonal + 1;
                }
                else if (up > left)
                {
                    left = up;
                    bits[j / 64] |= 1UL << j;
                }

                row[j] = left;
                diagonal = up;
            }
        }

        return row[^1];
    }

    private void WalkBack()
    {
        int i = first.Length;
        int j = second.Length;
        int left = Text.Length;
        CommonRun run = default;
        while (i > 0 && j > 0)
        {
            if (first[i - 1] == second[j - 1])
            {
                i--;
                j--;
                Text[--left] = first[i];
                if (run.Length > 0 && run.First == i + 1 && run.Second == j + 1)
                {
                    run = new CommonRun(i, j, run.Length + 1);
                }
                else
                {
                    Add(run);
                    run = new CommonRun(i, j, 1);
                }
            }
            else if ((shortensFirst[((long)i * rowWords) + (j / 64)] & (1UL << j)) != 0)
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

    private void Add(CommonRun run)
    {
        if (run.Length > 0)
            matches.Add(run);
    }
}
