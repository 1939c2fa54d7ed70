// Checks the bit layouts in ARCHITECTURE.md against the code. Each test reads one file.
using System.Globalization;
using System.Text.RegularExpressions;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Records;
using Garnet.Testing;
using Xunit;

namespace Garnet.Store.Tests;

public sealed partial class LayoutPictureTests
{
    [Fact]
    public void Record_header_bits_match_the_code()
    {
        Assert.Equal(
            [
                RecordHeader.FormMask,
                RecordHeader.FlagMask,
                RecordHeader.Build(0, 0, byte.MaxValue, 0, 0, 0, 0, 0),
                RecordHeader.Build(0, 0, 0, byte.MaxValue, 0, 0, 0, 0),
                RecordHeader.Build(0, 0, 0, 0, byte.MaxValue, 0, 0, 0),
                RecordHeader.Build(0, 0, 0, 0, 0, RecordHeader.MaxUnits, 0, 0),
                RecordHeader.Build(0, 0, 0, 0, 0, 0, RecordHeader.LongKey, 0),
                RecordHeader.Build(0, 0, 0, 0, 0, 0, 0, RecordHeader.MaxSlack),
            ],
            Masks("record bits")
        );
    }

    [Fact]
    public void Bucket_word_bits_match_the_code()
    {
        Assert.Equal(
            [
                (ulong)BucketWord.Latched,
                (ulong)BucketWord.Observed,
                (ulong)BucketWord.WithDepth(0, 31),
                (ulong)BucketWord.WithOverflow(0, BucketWord.MaxOverflow),
                ~((ulong)BucketWord.OneVersion - 1),
            ],
            Masks("bucket bits")
        );
        Assert.Equal(BucketLayout.Bytes, (BucketLayout.Entries + 1) * sizeof(ulong));
    }

    [Fact]
    public void Leaf_offset_bits_match_the_code() =>
        Assert.Equal([(ulong)LeafNode.OffsetMask, (ulong)LeafNode.OutsideMark], Masks("leaf offset bits"));

    [Fact]
    public unsafe void Node_header_bytes_match_the_code()
    {
        TreeNode node = default;
        byte* start = (byte*)&node;
        int[] starts =
        [
            (int)((byte*)&node.Link - start),
            sizeof(nint),
            (int)((byte*)&node.Low - start),
            (int)((byte*)&node.Count - start),
            (int)((byte*)&node.Slots - start),
            (int)((byte*)&node.End - start),
            (int)((byte*)&node.Level - start),
            (int)((byte*)&node.Flags - start),
        ];
        int[] ends = [.. starts.Skip(1), TreeNode.HeaderBytes];
        Assert.Equal(starts.Zip(ends, static (from, to) => (from, to - 1)), Ranges("node bytes"));
    }

    [Fact]
    public void Sizes_of_the_log_match_the_code()
    {
        using HybridLogStore store = new(new StoreOptions(), TimeProvider.System);
        Assert.Equal(
            [store.Log.PageBytes, LogChunk.Units * 8L, LogChunk.LargestRecord * 8L, RecordLog.SegmentBytes],
            Ranges("log bytes").Select(static range => (long)range.From)
        );
    }

    // The bit ranges in the first column of the table with this heading, as masks.
    private static IEnumerable<ulong> Masks(string heading) =>
        Ranges(heading).Select(static range => (ulong.MaxValue >> (63 - range.To)) & (ulong.MaxValue << range.From));

    private static IEnumerable<(int From, int To)> Ranges(string heading)
    {
        string text = File.ReadAllText(RepositoryRoot.Combine("ARCHITECTURE.md"));
        string table = text[text.IndexOf($"| {heading} |", StringComparison.Ordinal)..].Split("\n\n")[0];
        foreach (Match match in BitRange().Matches(table))
        {
            int from = int.Parse(match.Groups["from"].Value, CultureInfo.InvariantCulture);
            Group to = match.Groups["to"];
            yield return (from, to.Success ? int.Parse(to.Value, CultureInfo.InvariantCulture) : from);
        }
    }

    [GeneratedRegex(@"^\| (?<from>\d+)(?:-(?<to>\d+))? \|", RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex BitRange();
}
