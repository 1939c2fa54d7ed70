// Numbers and inline requests against answers recorded from a Valkey 9.1.2 server by Recorded/record.py. GARNET_RECORDED names a folder
// with more of them.
using System.Globalization;
using System.Text;
using Xunit;

namespace Garnet.Protocol.Tests;

public sealed class RecordedAnswersTests
{
    [Fact]
    public void Sums_in_extended_precision_equal_the_recorded_ones() =>
        Compare(
            "sums.tsv",
            input =>
            {
                int space = input.IndexOf(' ', StringComparison.Ordinal);
                if (
                    !LongDoubleText.TryParse(Encoding.ASCII.GetBytes(input[..space]), out LongDouble value)
                    || !LongDoubleText.TryParse(Encoding.ASCII.GetBytes(input[(space + 1)..]), out LongDouble increment)
                )
                {
                    return "!";
                }

                LongDouble sum = value + increment;
                byte[] text = new byte[LongDoubleText.MaxLength];
                return sum.IsFinite ? Encoding.ASCII.GetString(text, 0, LongDoubleText.Format(sum, text)) : "!";
            }
        );

    [Fact]
    public void Doubles_parse_and_print_as_recorded() =>
        Compare(
            "doubles.tsv",
            input =>
            {
                byte[] text = new byte[DoubleText.MaxLength];
                return DoubleText.TryParse(Encoding.ASCII.GetBytes(input), out double value)
                    ? Encoding.ASCII.GetString(text, 0, DoubleText.Format(value, text))
                    : "!";
            }
        );

    [Fact]
    public void Inline_requests_split_as_recorded() =>
        Compare(
            "inline.tsv",
            input =>
            {
                byte[] line = [.. "EVAL \"return ARGV\" 0 "u8, .. Convert.FromHexString(input), .. "\r\n"u8];
                var parser = new RequestParser();
                var table = new ArgumentTable();
                int position = 0;
                if (parser.Parse(line, ref position, table, out RequestRange request) == ParseStatus.Error)
                    return "!" + Encoding.ASCII.GetString(parser.ErrorText);
                Assert.Equal(line.Length, position);
                return string.Join(
                    ',',
                    Enumerable.Range(3, request.ArgumentCount - 3).Select(i => Convert.ToHexStringLower(table.Get(line, i)))
                );
            }
        );

    private static void Compare(string file, Func<string, string> answer)
    {
        string folder = Environment.GetEnvironmentVariable("GARNET_RECORDED") ?? Path.Combine(AppContext.BaseDirectory, "Recorded");
        string[] lines = File.ReadAllLines(Path.Combine(folder, file));
        Assert.True(lines.Length > 1000, $"{file} has {lines.Length.ToString(CultureInfo.InvariantCulture)} cases");
        var differences = new List<string>();
        foreach (string line in lines)
        {
            int tab = line.LastIndexOf('\t');
            string ours = answer(line[..tab]);
            if (ours != line[(tab + 1)..])
                differences.Add($"{line} but ours is {ours}");
        }
        Assert.True(differences.Count == 0, $"{differences.Count} differ:\n" + string.Join('\n', differences.Take(20)));
    }
}
