// Holds the tables of bits in ARCHITECTURE.md to the code. Each test reads one file.
using System.Globalization;
using System.Text.RegularExpressions;
using Garnet.Store.Index;
using Garnet.Store.Records;
using Garnet.Testing;
using Xunit;

namespace Garnet.Store.Tests;

public sealed partial class LayoutPictureTests
{
    [Fact]
    public void The_bits_of_a_record_header_are_those_of_the_code()
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
    public void The_bits_of_a_bucket_word_are_those_of_the_code()
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
        Assert.Equal(HashIndex.BucketBytes, (HashIndex.EntriesPerBucket + 1) * sizeof(ulong));
    }

    // The first column of the table with this heading, as masks.
    private static IEnumerable<ulong> Masks(string heading)
    {
        string text = File.ReadAllText(RepositoryRoot.Combine("ARCHITECTURE.md"));
        string table = text[text.IndexOf($"| {heading} |", StringComparison.Ordinal)..].Split("\n\n")[0];
        return BitRange().Matches(table).Select(static match => Mask(match.Groups["from"].Value, match.Groups["to"].Value));
    }

    private static ulong Mask(string from, string to)
    {
        int first = int.Parse(from, CultureInfo.InvariantCulture);
        int last = to.Length == 0 ? first : int.Parse(to, CultureInfo.InvariantCulture);
        return (ulong.MaxValue >> (63 - last)) & (ulong.MaxValue << first);
    }

    [GeneratedRegex(@"^\| (?<from>\d+)(?:-(?<to>\d+))? \|", RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex BitRange();
}
